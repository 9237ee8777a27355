import { describe, expect, it } from 'vitest';
import { addressText, isLoopback, parseHealthAddress } from './health-address.ts';

describe('parseHealthAddress', () => {
  it.each([
    ['127.0.0.1:9091', { host: '127.0.0.1', port: 9091 }, true],
    ['localhost:0', { host: 'localhost', port: 0 }, true],
    ['[::1]:9091', { host: '::1', port: 9091 }, true],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }, false],
    ['master-1.example.com:65535', { host: 'master-1.example.com', port: 65_535 }, false],
  ])('%s', (text, address, loopback) => {
    expect(parseHealthAddress(text)).toEqual(address);
    expect(addressText(address)).toBe(text);
    expect(isLoopback(address)).toBe(loopback);
  });

  it('off is off', () => {
    expect(parseHealthAddress('off')).toBe('off');
  });

  it.each([
    '',
    '9091',
    ':9091',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '::1:9091',
    'a b:1',
    'http://a:1',
  ])('%j is none', (text) => {
    expect(parseHealthAddress(text)).toBeUndefined();
  });
});
