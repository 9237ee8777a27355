import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnrollmentId } from '../../wire/names/ids.ts';
import { readBootstrap, readCredentials, readNonce, readRefusal, readStatus } from './door-answers.ts';
import { parseDoorUrl, parseDoorUrls } from './door-url.ts';
import { clockVerdict, doorVerdict, joinedVerdict } from './door-verdict.ts';

const ID = `enr-${'a'.repeat(27)}` as EnrollmentId;
const OTHER = `enr-${'b'.repeat(27)}` as EnrollmentId;
const status = (fields: object) => JSON.stringify({ id: ID, peel_id: 'web-01', state: 'pending', ...fields });

describe('what a door answers', () => {
  it('is read where it is about us', () => {
    expect(readStatus(status({ message: 'wait' }), 'web-01', ID)).toEqual({
      value: { id: ID, state: 'pending', message: 'wait', supersededBy: undefined },
    });
    expect(readStatus(status({ state: 'revoked', superseded_by: OTHER }), 'web-01', ID)).toMatchObject({
      value: { supersededBy: OTHER },
    });
    expect(readStatus(status({ superseded_by: '../../x' }), 'web-01')).toMatchObject({
      value: { supersededBy: undefined },
    });
    const challenge = Buffer.alloc(32, 7).toString('base64');
    expect(readNonce(JSON.stringify({ challenge_id: `chl-${'a'.repeat(27)}`, challenge }))).toHaveProperty(
      'value',
    );
    const creds = { peel_id: 'web-01', creds_data: Buffer.from('jwt').toString('base64') };
    expect(readCredentials(JSON.stringify(creds), 'web-01')).toEqual({ value: 'jwt' });
    const bootstrap = { v: 1, ca_bundle_pem: 'x', fingerprint: 'f', nats_urls: ['tls://a:1'] };
    expect(readBootstrap(JSON.stringify(bootstrap))).toHaveProperty('value');
  });

  it('is refused where it is about another peel, another enrollment or something unknown', () => {
    expect(readStatus(status({}), 'web-02')).toEqual({ problem: 'it is about web-01, not web-02' });
    expect(readStatus(status({}), 'web-01', OTHER)).toEqual({ problem: `it is about ${ID}, not ${OTHER}` });
    expect(readStatus(status({ state: 'fine' }), 'web-01')).toHaveProperty('problem');
    expect(readStatus(status({ id: '../../x' }), 'web-01')).toHaveProperty('problem');
    expect(readNonce('{"challenge_id":"chl-../../creds","challenge":""}')).toHaveProperty('problem');
    expect(readNonce(JSON.stringify({ challenge_id: `chl-${'a'.repeat(27)}`, challenge: 'AAAA' }))).toEqual({
      problem: 'its challenge is not 32 bytes',
    });
    expect(readCredentials('{"peel_id":"web-02","creds_data":"AAAA"}', 'web-01')).toHaveProperty('problem');
    expect(readBootstrap('{"v":2}')).toHaveProperty('problem');
  });

  it('garbage is a problem, never a crash', () => {
    const garbage = fc.oneof(fc.string(), fc.json(), fc.constantFrom('[]', 'null', '1', '"x"', '{'));
    fc.assert(
      fc.property(garbage, (body) => {
        for (const read of [
          readNonce(body),
          readBootstrap(body),
          readStatus(body, 'p'),
          readCredentials(body, 'p'),
        ])
          expect(read).toHaveProperty('problem');
        readRefusal(body);
      }),
    );
  });

  it('no word of it steers a terminal', () => {
    const evil = 'x\u001b[2J\r\nzester: approved\u202e';
    const said = [
      readStatus(status({ message: evil }), 'web-01'),
      readStatus(status({ peel_id: evil }), 'web-01'),
      readCredentials(JSON.stringify({ peel_id: evil }), 'web-01'),
      readRefusal(JSON.stringify({ error: evil, code: evil })),
    ];
    for (const each of said)
      expect(JSON.stringify(each)).not.toMatch(/\\u001b|\\n|\\r|\u202e|[\u0000-\u001f]/);
  });
});

describe('what a machine does about it', () => {
  it.each([
    [200, '', { is: 'good' }],
    [201, '', { is: 'good' }],
    [429, '7', { is: 'later', waitMs: 7_000 }],
    [429, '0', { is: 'later', waitMs: 1_000 }],
    [429, '999999', { is: 'later', waitMs: 300_000 }],
    [429, 'tomorrow', { is: 'later', waitMs: 10_000 }],
    [500, '', { is: 'next' }],
    [503, '5', { is: 'next' }],
    [302, '', { is: 'refused' }],
    [401, '', { is: 'refused' }],
    [409, '', { is: 'refused' }],
  ] as const)('%i %j: %j', (code, retryAfter, verdict) => {
    expect(doorVerdict(code, retryAfter)).toEqual(verdict);
  });

  it.each([
    ['pending', 'go-on'],
    ['approved', 'go-on'],
    ['issued', 'joined'],
    ['active', 'joined'],
    ['rejected', 'anew'],
    ['revoked', 'shut-out'],
    [undefined, 'anew'],
  ] as const)('with credentials, of an enrollment that is %s: %s', (state, verdict) => {
    expect(joinedVerdict(state)).toBe(verdict);
  });

  it('clocks that differ by minutes are a wrong clock', () => {
    expect(clockVerdict(0, 121_000)).toBe('clock');
    expect(clockVerdict(121_000, 0)).toBe('clock');
    expect(clockVerdict(0, 60_000)).toBe('certificate');
    expect(clockVerdict(0, undefined)).toBe('unknown');
  });
});

describe('the address of a door', () => {
  it.each([
    ['https://m', 'https://m:8443'],
    ['https://m.example.com:1/', 'https://m.example.com:1'],
    ['HTTPS://[::1]:9', 'https://[::1]:9'],
  ])('%s is %s', (text, url) => {
    expect(parseDoorUrl(text)?.url).toBe(url);
  });

  it.each([
    'http://m',
    'm:8443',
    'https://u:p@m',
    'https://m/x',
    'https://m:0',
    'https://m:65536',
    'https://',
    '',
  ])('%j is none', (text) => {
    expect(parseDoorUrl(text)).toBeUndefined();
  });

  it('one wrong one makes the list wrong, and so do too many', () => {
    expect(parseDoorUrls('https://a,https://b')?.map(({ host }) => host)).toEqual(['a', 'b']);
    expect(parseDoorUrls('https://a,b')).toBeUndefined();
    expect(parseDoorUrls(Array.from({ length: 17 }, () => 'https://a').join(','))).toBeUndefined();
  });
});
