/** `zester-peel join` against doors that lie, break, dawdle and are somebody else. The real door: test/integration/enroll. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainError } from '../../../src/core/errors/zester-error.ts';
import { joinMachine } from '../../../src/peel/join/join-machine.ts';
import { parseJoinOptions } from '../../../src/peel/join/join-options.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { loadCreds } from '../../../src/trust/auth-dir.ts';
import { newSigningKey, signingKeyFromSeed } from '../../../src/trust/nkeys.ts';
import {
  answer,
  type DoorScript,
  SCRIPTED_ID,
  ScriptedCa,
  ScriptedDoor,
} from '../../harness/join/scripted-door.ts';
import { until } from '../../harness/until.ts';

const ca = new ScriptedCa();
const stranger = new ScriptedCa();
const HOUR_MS = 3_600_000;
const evil = 'x\u001b[2J\r\nforged';
const root = mkdtempSync(join(tmpdir(), 'zester-join-'));
const doors: ScriptedDoor[] = [];
let dir = '';
let said: string[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(root, 'peel-'));
  said = [];
});
afterEach(async () => {
  await Promise.all(doors.splice(0).map((door) => door.close()));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function open(script: DoorScript = {}, tls = ca.leaf()): Promise<ScriptedDoor> {
  const door = await ScriptedDoor.open(ca, script, tls);
  doors.push(door);
  return door;
}

const files = { read: async () => Buffer.from('vm.example.net\n') };

function joinBy(words: readonly string[], signal = new AbortController().signal, clock = systemClock) {
  const command = parseJoinOptions([...words, '--auth-dir', dir]);
  if (!('join' in command)) throw new Error('not a join');
  const say = (line: string) => void said.push(line);
  return joinMachine(command.join, files, { clock, random: systemRandom, signal, say });
}

const pinned = (door: ScriptedDoor, ...more: string[]) =>
  joinBy([door.url, '--pin', ca.pin, '--id', 'web-01', ...more]);
/** A master that knows the enrollment and says this of it. */
const standing = (state: string, more: object = {}) =>
  answer(200, { id: SCRIPTED_ID, peel_id: 'web-01', state, ...more });
const code = (error: unknown) => (error as { code?: string }).code;
const failed = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it joined'),
    (error: unknown) => error as Error & { code: string; exitCode: number },
  );
/** Of what came from a master. */
const written = () => readdirSync(dir).filter((name) => name !== 'join.lock');

describe('joining', () => {
  it('leaves key, credentials, CAs and addresses, the secret ones for the owner only', async () => {
    const door = await open();
    const report = await pinned(door, '--release-key', `sha256:${'0'.repeat(64)}`);
    expect(report).toMatchObject({ peelId: 'web-01', enrollmentId: SCRIPTED_ID, unchanged: false });
    expect(written().sort()).toEqual(
      [
        'enroll-ca.crt',
        'enrollment.json',
        'nats-ca.crt',
        'node-id',
        'release-key',
        'web-01.creds',
        'web-01.seed',
      ].sort(),
    );
    const modeOf = (name: string) => statSync(join(dir, name)).mode & 0o777;
    expect(['web-01.seed', 'web-01.creds', 'join.lock'].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
    expect(loadCreds(report.credsFile).key.exposeSeed()).toBe(
      readFileSync(join(dir, 'web-01.seed'), 'utf8').trim(),
    );
    expect(JSON.parse(readFileSync(join(dir, 'enrollment.json'), 'utf8'))).toMatchObject({
      masters: [door.url],
      nats_urls: ['tls://127.0.0.1:4222'],
      ca_pin: ca.pin,
    });
    // The seed never leaves the machine.
    expect(JSON.stringify(door.bodies)).not.toContain(loadCreds(report.credsFile).key.exposeSeed());
  });

  it('a second join changes nothing and asks only how it stands; --again joins anew', async () => {
    const door = await open({ status: standing('active') });
    await pinned(door);
    const [asked, sent] = [door.asked.length, door.bodies.length];
    expect(await pinned(door)).toMatchObject({ unchanged: true, enrollmentId: SCRIPTED_ID });
    expect(door.asked.slice(asked).filter((path) => !path.endsWith('/ca'))).toEqual([
      `/api/v1/enroll/${SCRIPTED_ID}/status`,
    ]);
    expect(door.bodies.length).toBe(sent);
    const before = readFileSync(join(dir, 'web-01.seed'), 'utf8');
    expect(await pinned(door, '--again')).toMatchObject({ unchanged: false });
    expect(readFileSync(join(dir, 'web-01.seed'), 'utf8')).toBe(before);
  });

  it('a token is not sent to a door that nothing but the door itself vouches for', async () => {
    const door = await open();
    const words = [door.url, '--id', 'web-01', '--token', `tok-${'a'.repeat(27)}.${'s'.repeat(43)}`];
    expect(code(await failed(joinBy(words)))).toBe('JOIN_TOKEN_UNPINNED');
    expect([door.bodies, existsSync(join(dir, 'web-01.seed'))]).toEqual([[], false]);
    expect(await joinBy([...words, '--pin', ca.pin])).toMatchObject({ unchanged: false });
    expect(door.bodies[0]?.token).toMatch(/^tok-/);
  });

  it('a name that another machine has is not kept: the machine can be given another', async () => {
    const taken = await open({ submit: answer(409, { error: 'peel id web-01 belongs to another key' }) });
    expect(code(await failed(pinned(taken)))).toBe('JOIN_REFUSED');
    const door = await open();
    expect((await joinBy([door.url, '--pin', ca.pin, '--id', 'web-02'])).peelId).toBe('web-02');
  });

  it('the name is that of the host, and stays pinned when the host is renamed', async () => {
    const door = await open();
    expect((await joinBy([door.url, '--pin', ca.pin])).peelId).toBe('vm_example_net');
    const error = await failed(joinBy([door.url, '--pin', ca.pin, '--id', 'other']));
    expect([code(error), error.message]).toEqual([
      'JOIN_ID_PINNED',
      expect.stringContaining('vm_example_net'),
    ]);
  });

  it('two at once in one directory: one is refused', async () => {
    let release = () => {};
    const door = await open({
      nonce: (_, response) => {
        release = () => response.destroy();
      },
    });
    const first = failed(pinned(door, '--timeout', '1s'));
    await until(() => door.asked.some((path) => path.endsWith('/nonce')), 'the first to be under way');
    const second = await failed(pinned(door));
    expect([code(second), second.message]).toEqual([
      'JOIN_IN_PROGRESS',
      expect.stringContaining(String(process.pid)),
    ]);
    release();
    await first;
  });

  it('the key of credentials that an older Zester wrote is kept', async () => {
    const door = await open();
    await pinned(door);
    const before = readFileSync(join(dir, 'web-01.seed'), 'utf8');
    for (const name of ['web-01.seed', 'enrollment.json', 'node-id', 'enroll-ca.crt'])
      rmSync(join(dir, name));
    await pinned(door);
    expect(readFileSync(join(dir, 'web-01.seed'), 'utf8')).toBe(before);
  });

  it('a release key that is pinned is not changed', async () => {
    const door = await open();
    await pinned(door, '--release-key', `sha256:${'0'.repeat(64)}`);
    expect(code(await failed(pinned(door, '--release-key', `sha256:${'1'.repeat(64)}`)))).toBe(
      'JOIN_RELEASE_KEY',
    );
  });
});

describe('a machine that has credentials', () => {
  const script: { -readonly [Key in keyof DoorScript]: DoorScript[Key] } = {};
  const joined = async () => {
    script.status = standing('active');
    const door = await open(script);
    await pinned(door);
    return { door, sent: door.bodies.length };
  };

  it('and was revoked is told so, with the next step; --again makes a new request', async () => {
    const { door, sent } = await joined();
    script.status = standing('revoked', { message: evil });
    const error = await failed(pinned(door));
    expect([error.code, error.exitCode, door.bodies.length]).toEqual(['JOIN_REJECTED', 1, sent]);
    expect(error.message).toMatch(/^the enrollment enr-a+ of web-01 was revoked: x\?\[2J/);
    expect(explainError(error as never)).toContain('--again');
    await pinned(door, '--again');
    expect(door.bodies.length).toBe(sent + 1);
  });

  it('and only enrolled again since has joined: the enrollment that took the place counts', async () => {
    const { door, sent } = await joined();
    const heir = `enr-${'b'.repeat(27)}`;
    script.status = (request, response) =>
      request.url?.includes(heir)
        ? answer(200, { id: heir, peel_id: 'web-01', state: 'issued' })(request, response, '')
        : standing('revoked', { superseded_by: heir })(request, response, '');
    expect(await pinned(door)).toMatchObject({ unchanged: true, enrollmentId: heir });
    expect(JSON.parse(readFileSync(join(dir, 'enrollment.json'), 'utf8'))).toMatchObject({
      enrollment_id: heir,
      masters: [door.url],
    });
    expect(door.bodies.length).toBe(sent);
  });

  it('and has asked again waits for that, and fetches what was approved', async () => {
    const { door, sent } = await joined();
    script.status = standing('pending');
    const error = await failed(pinned(door, '--timeout', '300ms'));
    expect([error.code, said.join('\n').includes(`zester enroll approve ${SCRIPTED_ID}`)]).toEqual([
      'JOIN_PENDING',
      true,
    ]);
    script.status = standing('approved');
    expect(await pinned(door)).toMatchObject({ unchanged: false });
    expect([door.bodies.length, door.asked.at(-1)]).toEqual([sent, `/api/v1/enroll/${SCRIPTED_ID}/creds`]);
  });

  it.each([
    ['was turned away', () => standing('rejected')],
    ['is not known any more', () => answer(404, { error: 'there is no enrollment' })],
  ])('and %s asks anew', async (_, now) => {
    const { door, sent } = await joined();
    script.status = now();
    expect(await pinned(door)).toMatchObject({ unchanged: false });
    expect(door.bodies.length).toBe(sent + 1);
  });

  it('and reaches no master does not know whether they count, and says both', async () => {
    const { door } = await joined();
    const url = door.url;
    await door.close();
    doors.splice(0);
    const error = await failed(joinBy([url, '--pin', ca.pin, '--id', 'web-01', '--timeout', '1s']));
    expect([error.code, error.exitCode]).toEqual(['JOIN_UNCONFIRMED', 3]);
    expect(error.message).toMatch(
      /has credentials as web-01 .* good until 20\d\d-.* no master could be reached/,
    );
    expect(existsSync(join(dir, 'web-01.creds'))).toBe(true);
  });

  it('does not take the word of a door that it does not trust', async () => {
    const { door } = await joined();
    const file = join(dir, 'enrollment.json');
    const other = await ScriptedDoor.open(stranger, { status: standing('active') });
    doors.push(other);
    writeFileSync(file, readFileSync(file, 'utf8').replace(door.url, other.url));
    expect(code(await failed(joinBy([other.url, '--id', 'web-01'])))).toBe('JOIN_UNTRUSTED');
  });
});

describe('trust', () => {
  it('a pin that does not fit ends it before anything is sent or written, and both fingerprints are told', async () => {
    const door = await open();
    const error = await failed(joinBy([door.url, '--pin', stranger.pin, '--id', 'web-01']));
    expect([error.code, error.exitCode]).toEqual(['JOIN_PIN_MISMATCH', 1]);
    expect(error.message).toContain(ca.pin);
    expect(error.message).toContain(stranger.pin);
    expect([door.asked, door.bodies, written()]).toEqual([['/api/v1/enroll/ca'], [], []]);
  });

  it('a root that fits the pin is no help to a door whose certificate comes from another', async () => {
    const door = await open({}, stranger.leaf());
    const error = await failed(pinned(door));
    expect(code(error)).toBe('JOIN_UNTRUSTED');
    expect([door.asked.length, door.bodies, written()]).toEqual([1, [], []]);
  });

  it('by a CA file, with or without a pin; both must hold', async () => {
    const door = await open();
    const file = join(root, 'ca.crt');
    writeFileSync(file, ca.rootPem);
    expect(await joinBy([door.url, '--ca', file, '--pin', ca.pin, '--id', 'a'])).toMatchObject({
      peelId: 'a',
    });
    const mismatch = failed(joinBy([door.url, '--ca', file, '--pin', stranger.pin, '--id', 'a', '--again']));
    expect(code(await mismatch)).toBe('JOIN_PIN_MISMATCH');
    writeFileSync(file, stranger.rootPem);
    expect(code(await failed(joinBy([door.url, '--ca', file, '--id', 'a', '--again'])))).toBe(
      'JOIN_UNTRUSTED',
    );
    writeFileSync(file, 'nothing');
    expect(code(await failed(joinBy([door.url, '--ca', file, '--id', 'a', '--again'])))).toBe('JOIN_CA_FILE');
  });

  it('first use tells what it took, persists it, and from then on nothing else is good', async () => {
    const door = await open();
    await joinBy([door.url, '--id', 'web-01']);
    expect(said.join('\n')).toContain(ca.pin);
    expect(said.join('\n')).toContain('zester ca fingerprint');
    expect(readFileSync(join(dir, 'enroll-ca.crt'), 'utf8')).toContain('BEGIN CERTIFICATE');
    const other = await ScriptedDoor.open(stranger);
    doors.push(other);
    expect(code(await failed(joinBy([other.url, '--id', 'web-01'])))).toBe('JOIN_UNTRUSTED');
    expect(other.bodies).toEqual([]);
  });

  it('first use is not for strict, nor for a machine that has credentials', async () => {
    const door = await open();
    expect(code(await failed(joinBy([door.url, '--id', 'web-01', '--trust', 'strict'])))).toBe(
      'JOIN_UNTRUSTED',
    );
    await pinned(door);
    rmSync(join(dir, 'enroll-ca.crt'));
    expect(code(await failed(joinBy([door.url, '--id', 'web-01', '--again'])))).toBe('JOIN_UNTRUSTED');
  });

  it('a certificate for another name is not good, and TLS 1.2 is not spoken', async () => {
    const door = await open({}, ca.leaf(['other.example.net']));
    const error = await failed(pinned(door));
    expect([code(error), error.message]).toEqual([
      'JOIN_UNTRUSTED',
      expect.stringContaining('does not match'),
    ]);
    const old = await ScriptedDoor.open(ca, {}, { ...ca.leaf(), maxVersion: 'TLSv1.2' });
    doors.push(old);
    expect(code(await failed(pinned(old, '--timeout', '100ms')))).toBe('JOIN_UNREACHABLE');
    expect(old.asked).toEqual([]);
  });

  it('an expired certificate: whose clock is wrong is told with both clocks', async () => {
    const expired = ca.leaf(['127.0.0.1'], systemClock.nowMs() - 12 * HOUR_MS, HOUR_MS);
    const door = await open({}, expired);
    const error = await failed(pinned(door));
    expect(error.code).toBe('JOIN_CERTIFICATE_TIME');
    expect(error.message).toMatch(
      /expired; the clock of this machine says 20\d\d-\S+Z, the server says \w{3}, \d/,
    );
    // The same with a server that says it is another year: then it is our clock.
    const wrong = await open(
      {
        ca: (request, response) =>
          answer(200, door.bootstrap(), { date: 'Sun, 06 Nov 1994 08:49:37 GMT' })(request, response, ''),
      },
      expired,
    );
    const clock = await failed(pinned(wrong));
    expect(clock.code).toBe('JOIN_CLOCK');
    expect(clock.message).toContain('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(written()).toEqual([]);
  });
});

describe('a machine with a wrong clock', () => {
  const YEAR_MS = 365 * 24 * HOUR_MS;
  const clockOff = (ms: number) => ({ ...systemClock, nowMs: () => systemClock.nowMs() + ms });
  const joins = (door: ScriptedDoor, offMs: number) =>
    joinBy([door.url, '--pin', ca.pin, '--id', 'web-01'], undefined, clockOff(offMs));

  it('hears so when it joins, once, with both clocks', async () => {
    const door = await open({});
    await joins(door, -YEAR_MS);
    const told = said.filter((line) => line.includes('the clock of this machine says'));
    const year = new Date(systemClock.nowMs()).getUTCFullYear();
    expect(told).toEqual([
      expect.stringMatching(new RegExp(`says ${year - 1}-.*, that of ${door.url} .*${year} `)),
    ]);
  });

  it('that is ahead of the end of its new credentials does not take them, and hears why', async () => {
    const error = await failed(joins(await open({}), YEAR_MS));
    expect(error.code).toBe('JOIN_WRONG_CREDENTIALS');
    expect(error.message).toMatch(/expired at .*, and the clock of this machine says .*: is it right\?/);
  });

  it('that is right hears nothing of clocks', async () => {
    await joins(await open({}), 0);
    expect(said.join()).not.toContain('clock');
  });
});

describe('a master that is broken or hostile', () => {
  it.each<[string, DoorScript, string]>([
    ['garbage for a CA', { ca: answer(200, '<html>') }, 'JOIN_BAD_ANSWER'],
    ['no CA', { ca: answer(404, '{"error":"no"}') }, 'JOIN_BAD_ANSWER'],
    ['a redirect', { nonce: answer(302, '', { location: 'https://127.0.0.1:1/' }) }, 'JOIN_REFUSED'],
    ['garbage for a challenge', { nonce: answer(200, '{') }, 'JOIN_BAD_ANSWER'],
    ['an endless body', { nonce: (_, response) => void response.end('x'.repeat(70_000)) }, 'JOIN_BAD_ANSWER'],
    ['endless headers', { nonce: answer(200, '{}', { x: 'x'.repeat(20_000) }) }, 'JOIN_BAD_ANSWER'],
    [
      'an answer for another peel',
      { submit: answer(201, { id: SCRIPTED_ID, peel_id: 'db-01', state: 'approved' }) },
      'JOIN_BAD_ANSWER',
    ],
    [
      'an id that leads elsewhere',
      { submit: answer(201, { id: '../../../x', peel_id: 'web-01', state: 'approved' }) },
      'JOIN_BAD_ANSWER',
    ],
    ['a refusal', { submit: answer(409, { error: evil, code: 'X' }) }, 'JOIN_REFUSED'],
    [
      'a rejection',
      { submit: answer(201, { id: SCRIPTED_ID, peel_id: 'web-01', state: 'rejected', message: evil }) },
      'JOIN_REJECTED',
    ],
    [
      'credentials of another peel',
      { creds: answer(200, { peel_id: 'db-01', creds_data: 'AAAA' }) },
      'JOIN_BAD_ANSWER',
    ],
    [
      'credentials that are none',
      { creds: answer(200, { peel_id: 'web-01', creds_data: 'AAAA' }) },
      'JOIN_WRONG_CREDENTIALS',
    ],
    ['credentials that never come', { creds: answer(409, { error: 'issued' }) }, 'JOIN_BAD_ANSWER'],
    ['a challenge that is never good', { submit: answer(401, { error: 'challenge' }) }, 'JOIN_REFUSED'],
  ])('%s', async (_, script, expected) => {
    const door = await open(script);
    const error = await failed(pinned(door));
    expect([error.code, error.exitCode]).toEqual([expected, 1]);
    expect(existsSync(join(dir, 'web-01.creds'))).toBe(false);
    expect(error.message + said.join('')).not.toMatch(/[\u0000-\u001f]/);
  });

  it('credentials for another key or another name are not written', async () => {
    const minter = await open();
    const other = newSigningKey('user', systemRandom).publicKey;
    const asCreds = (jwt: string) => ({ peel_id: 'web-01', creds_data: Buffer.from(jwt).toString('base64') });
    const keyDoor = await open({ creds: answer(200, asCreds(minter.jwt('web-01', other))) });
    expect((await failed(pinned(keyDoor))).message).toContain('another key');
    const nameDoor: ScriptedDoor = await open({
      creds: (request, response) => {
        const key = String(nameDoor.bodies.at(-1)?.public_key);
        answer(200, asCreds(minter.jwt('db-01', key)))(request, response, '');
      },
    });
    expect((await failed(pinned(nameDoor))).message).toContain('they are for db-01');
    expect(existsSync(join(dir, 'web-01.creds'))).toBe(false);
  });

  it('one that says nothing is left for the next; one in trouble too; a refusal is not carried on', async () => {
    const good = await open();
    const troubled = await open({ ca: answer(503, '{}') });
    const words = [`https://127.0.0.1:1,${troubled.url},${good.url}`, '--pin', ca.pin, '--id', 'web-01'];
    expect(await joinBy(words)).toMatchObject({ peelId: 'web-01' });
    const refusing = await open({ submit: answer(403, { error: 'token' }) });
    const bystander = await open();
    const refused = joinBy([
      `${refusing.url},${bystander.url}`,
      '--pin',
      ca.pin,
      '--id',
      'web-01',
      '--again',
    ]);
    expect(code(await failed(refused))).toBe('JOIN_REFUSED');
    expect(bystander.asked).toEqual([]);
  });

  it('patience: Retry-After is honoured and told', async () => {
    let tries = 0;
    const door = await open({
      submit: (request, response) => {
        tries += 1;
        const { peel_id } = door.bodies.at(-1) ?? {};
        if (tries === 1) answer(429, '{}', { 'retry-after': '1' })(request, response, '');
        else answer(201, { id: SCRIPTED_ID, peel_id, state: 'approved' })(request, response, '');
      },
    });
    const startMs = systemClock.monotonicMs();
    await pinned(door);
    expect(systemClock.monotonicMs() - startMs).toBeGreaterThan(900);
    expect(said.join('\n')).toContain('asks for patience');
  });

  it('nobody there: says what it waits for, and ends with 3 when the time is up', async () => {
    const error = await failed(
      joinBy(['https://127.0.0.1:1', '--pin', ca.pin, '--id', 'a', '--timeout', '2s']),
    );
    expect([error.code, error.exitCode]).toEqual(['JOIN_UNREACHABLE', 3]);
    expect(said.join('\n')).toMatch(/no master can be reached \(https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
  });

  it('Ctrl-C ends it at once, and the next run goes on with the same key', async () => {
    const stop = new AbortController();
    const door = await open({
      stream: (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
      submit: answer(201, { id: SCRIPTED_ID, peel_id: 'web-01', state: 'pending' }),
    });
    const ended = failed(joinBy([door.url, '--pin', ca.pin, '--id', 'web-01'], stop.signal));
    await until(() => door.asked.some((path) => path.endsWith('/stream')), 'it to wait');
    expect(said.join('\n')).toContain(`zester enroll approve ${SCRIPTED_ID}`);
    stop.abort();
    await ended;
    const seed = readFileSync(join(dir, 'web-01.seed'), 'utf8');
    // What `zester enroll show` calls the fingerprint.
    const { publicKey } = signingKeyFromSeed(seed.trim(), 'user');
    expect(said.join('\n')).toContain(`sha256:${createHash('sha256').update(publicKey).digest('hex')}`);
    await pinned(await open());
    expect(readFileSync(join(dir, 'web-01.seed'), 'utf8')).toBe(seed);
  });

  it('what a stream says is asked about: a decision that is none is waited for', async () => {
    let asks = 0;
    const door = await open({
      submit: answer(201, { id: SCRIPTED_ID, peel_id: 'web-01', state: 'pending' }),
      stream: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('event: state\ndata: {"state":"approved"}\n\n');
      },
      status: (request, response) => {
        asks += 1;
        answer(200, { id: SCRIPTED_ID, peel_id: 'web-01', state: 'pending' })(request, response, '');
      },
    });
    const error = await failed(pinned(door, '--timeout', '300ms'));
    expect([error.code, error.exitCode]).toEqual(['JOIN_PENDING', 3]);
    expect(asks).toBeGreaterThan(0);
    expect(existsSync(join(dir, 'enrollment.json'))).toBe(true);
  });
});
