import { describe, expect, it } from 'vitest';
import { zesterError } from '../core/errors/zester-error.ts';
import { healthOptions } from './health-option-words.ts';

const read = (given: Readonly<Record<string, string>>) =>
  healthOptions(new Map(Object.entries(given)), '127.0.0.1:9091', (problem) =>
    zesterError('MASTER_USAGE', { problem }),
  );

describe('the health options', () => {
  it('remember whether the address was asked for', () => {
    expect(read({})).toEqual({
      address: { host: '127.0.0.1', port: 9091 },
      isDefault: true,
      file: undefined,
    });
    expect(read({ 'health-addr': '[::1]:0', 'health-file': '/f' })).toEqual({
      address: { host: '::1', port: 0 },
      isDefault: false,
      file: '/f',
    });
    expect(read({ 'health-addr': 'off' }).address).toBe('off');
  });

  it('refuse what is no address, and a file without one', () => {
    expect(() => read({ 'health-addr': '9091' })).toThrow('such as 127.0.0.1:9091, or off, not 9091');
    expect(() => read({ 'health-addr': 'off', 'health-file': '/f' })).toThrow('nothing to tell');
  });
});
