import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { parseNatsUrl, parseNatsUrls } from './nats-url.ts';

describe('parseNatsUrl', () => {
  it('takes tls:// with a name or an address, and adds the port', () => {
    expect(parseNatsUrl('tls://nats-1.example.com')).toEqual({
      host: 'nats-1.example.com',
      port: 4222,
      url: 'tls://nats-1.example.com:4222',
    });
    expect(parseNatsUrl('TLS://10.0.0.5:6222/').url).toBe('tls://10.0.0.5:6222');
    expect(parseNatsUrl('tls://[::1]:4223')).toEqual({ host: '::1', port: 4223, url: 'tls://[::1]:4223' });
  });

  it('refuses whatever would not be TLS from the first byte, and says so', () => {
    for (const url of [
      'nats://localhost:4222',
      'localhost:4222',
      'localhost',
      'ws://h',
      'wss://h',
      'http://h',
      '',
    ])
      expect(codeOf(url)).toBe('BUS_URL_NOT_TLS');
  });

  it('refuses what is not a plain address', () => {
    for (const url of [
      'tls://',
      'tls://host:0',
      'tls://host:65536',
      'tls://host:',
      'tls://host:4222/path',
      'tls://host?x',
      'tls://user:password@host:4222',
      'tls://ho st',
      'tls://host\n',
      'tls://-host',
      'tls://[::1',
      'tls://::1',
      `tls://${'a'.repeat(254)}`,
    ])
      expect(codeOf(url), url).toBe('BUS_URL_INVALID');
  });

  it('never repeats a password', () => {
    for (const url of ['nats://admin:hunter2@host:4222', 'tls://admin:hunter2@host', 'admin:hunter2@host']) {
      const error = errorOf(url);
      expect(String(error)).not.toContain('hunter2');
    }
  });

  it('reads a list', () => {
    expect(parseNatsUrls('tls://a, tls://b:1').map(({ url }) => url)).toEqual(['tls://a:4222', 'tls://b:1']);
    expect(() => parseNatsUrls('tls://a,')).toThrow();
  });

  it('accepts its own normal form, and nothing that it does not understand', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'tls:/[]a1.-:@ '), maxLength: 14 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          nearly.map((tail) => `tls://${tail}`),
        ),
        (text) => {
          const error = errorOf(text);
          if (error === undefined) expect(parseNatsUrl(parseNatsUrl(text).url)).toEqual(parseNatsUrl(text));
          else expect(isZesterError(error)).toBe(true);
        },
      ),
    );
  });
});

function errorOf(text: string): unknown {
  try {
    parseNatsUrl(text);
    return undefined;
  } catch (error) {
    return error;
  }
}

function codeOf(text: string): unknown {
  const error = errorOf(text);
  return isZesterError(error) ? error.code : error;
}
