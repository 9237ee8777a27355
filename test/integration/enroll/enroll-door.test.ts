/** The enrollment door of masters on a real nats-server: a machine joins, and strangers get no further than they may. */
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTable } from '../../../src/bus/kv/table.ts';
import { isCredentialsFailure } from '../../../src/bus/nats/connect-failure.ts';
import type { EnrollDoor } from '../../../src/master/enroll/http/enroll-door.ts';
import { decodeJwt } from '../../../src/trust/accounts/jwt.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import {
  ENROLL_CA_PATH,
  ENROLL_NONCE_PATH,
  ENROLL_PATH,
  enrollCredsPath,
  enrollStatusPath,
  enrollStreamPath,
} from '../../../src/wire/names/enroll-routes.ts';
import type { EnrollmentId } from '../../../src/wire/names/ids.ts';
import type { EnrollBootstrap, EnrollStatusAnswer } from '../../../src/wire/records/enroll/enroll-http.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { DoorWorld } from '../../harness/enroll/door-world.ts';
import { until } from '../../harness/until.ts';

const world = new DoorWorld();
let door: EnrollDoor;
let other: EnrollDoor;
const NOBODY = `enr-${'a'.repeat(27)}` as EnrollmentId;

beforeAll(async () => {
  await world.open();
  ({ door } = await world.master());
  ({ door: other } = await world.master());
});
afterAll(() => world.close());

describe('a machine', () => {
  it('joins through any master, is told of its approval at once, and works with its credentials', async () => {
    const web = world.machine('web-1');
    const asked = await world.submit(door, web);
    expect([asked.status, asked.body]).toEqual([
      201,
      { id: asked.body.id, peel_id: 'web-1', state: 'pending' },
    ]);
    const id = asked.body.id as EnrollmentId;
    const again = await world.submit(other, web);
    expect([again.status, again.body.id]).toEqual([200, id]);
    expect((await world.creds(door, web, id)).status).toBe(403);

    const waiting = world.ask(other, enrollStreamPath(id));
    await world.decide('approve', id);
    const told = await waiting;
    expect(told.headers['content-type']).toContain('text/event-stream');
    expect(told.text).toContain(
      `event: state\ndata: {"id":"${id}","peel_id":"web-1","state":"approved"}\n\n`,
    );
    expect((await world.ask<EnrollStatusAnswer>(door, enrollStatusPath(id))).body.state).toBe('approved');

    const creds = await world.creds(other, web, id);
    expect(creds.status).toBe(200);
    const jwt = Buffer.from(creds.body.creds_data, 'base64').toString();
    expect(decodeJwt(jwt, 'user')).toMatchObject({ name: 'web-1', sub: web.publicKey });
    const twice = await world.creds(door, web, id);
    expect([twice.status, twice.body.code]).toEqual([409, 'ENROLL_ALREADY_ISSUED']);

    const { bus } = world.connect(web, jwt);
    await bus.connected();
    await bus
      .bucket(BUCKETS.facts.name)
      .put('web-1', factsCodec.encode({ [FACT_KEYS.curvePublicKey]: web.curvePublicKey }));
    const state = async () => (await world.ask<EnrollStatusAnswer>(door, enrollStatusPath(id))).body.state;
    await until(async () => (await state()) === 'active', 'its first facts to count');
  });

  it('whose answer with the credentials was lost joins again with its key, and nobody approves twice', async () => {
    const web = world.machine('web-2');
    const { id: first } = await world.join(door, web);
    const again = await world.submit(other, web);
    expect([again.status, again.body.state]).toEqual([201, 'approved']);
    // Who asks about the one before is not told of a revocation alone. Another master answers from its memory, a moment later.
    const old = async () =>
      (await world.ask<EnrollStatusAnswer>(door, enrollStatusPath(first as EnrollmentId))).body;
    await until(async () => (await old()).state !== 'issued', 'the other master to hear of it');
    expect(await old()).toMatchObject({ state: 'revoked', superseded_by: again.body.id });
    expect((await world.creds(door, web, again.body.id)).status).toBe(200);
  });

  it('learns the CA and the addresses, for a minute at a time', async () => {
    const { status, headers, body } = await world.ask<EnrollBootstrap>(door, ENROLL_CA_PATH);
    expect([status, headers['cache-control'], body.fingerprint]).toEqual([
      200,
      'public, max-age=60',
      world.pin,
    ]);
    const head = await world.ask(door, ENROLL_CA_PATH, { method: 'HEAD' });
    expect([head.status, head.text, Number(head.headers['content-length']) > 1_000]).toEqual([200, '', true]);
  });
});

describe('replayed enrollment', () => {
  it('the same body again is refused, at every master, and a new challenge is taken', async () => {
    const web = world.machine('replay-1');
    const body = web.body(await world.nonce(door, web), { pin: world.pin });
    expect((await world.post(door, body)).status).toBe(201);
    for (const each of [door, other]) {
      const replayed = await world.post<{ code: string }>(each, body);
      expect([replayed.status, replayed.body.code]).toEqual([401, 'ENROLL_CHALLENGE']);
    }
    expect((await world.submit(other, web)).status).toBe(200);
  });

  it('another key for an id that waits is refused', async () => {
    await world.submit(door, world.machine('replay-2'));
    const thief = await world.submit(other, world.machine('replay-2'));
    expect([thief.status, thief.body.code]).toEqual([409, 'ENROLL_ID_TAKEN']);
  });
});

describe('what is malformed', () => {
  it.each([
    ['GET', '/', 404],
    ['GET', '/api/v1/enroll/../enroll', 404],
    ['GET', `${ENROLL_PATH}/enr-x/status`, 404],
    ['GET', enrollStatusPath(NOBODY), 404],
    ['GET', enrollStreamPath(NOBODY), 404],
    ['DELETE', ENROLL_PATH, 405],
    ['GET', ENROLL_PATH, 405],
    ['HEAD', enrollCredsPath(NOBODY), 405],
    ['HEAD', ENROLL_NONCE_PATH, 405],
    ['OPTIONS', ENROLL_CA_PATH, 405],
    ['GET', enrollCredsPath(NOBODY), 401],
    ['GET', ENROLL_NONCE_PATH, 400],
    ['GET', `${ENROLL_NONCE_PATH}?peel_id=a&peel_id=b&public_key=U`, 400],
    ['GET', `${ENROLL_NONCE_PATH}?peel_id=web-1&public_key=U`, 400],
    ['GET', `${ENROLL_NONCE_PATH}?peel_id=web-1&pubic_key=U`, 400],
    ['GET', `${ENROLL_NONCE_PATH}?peel_id=${'x'.repeat(200)}&public_key=U`, 400],
  ])('%s %s answers %i, with an error and no more', async (method, path, status) => {
    const reply = await world.ask(door, path, { method });
    expect(reply.status).toBe(status);
    if (method === 'HEAD') return;
    expect(Object.keys(reply.body).sort()).toEqual(['code', 'error']);
    expect(reply.text).not.toContain('    at ');
    if (status === 405) expect(reply.headers.allow).toBeDefined();
  });

  it('bodies that are too large, too deep, of another kind, or not JSON are refused', async () => {
    const post = async (body: string, headers = {}) => {
      const reply = await world.ask(door, ENROLL_PATH, { method: 'POST', body, headers });
      return `${reply.status} ${reply.body.code}`;
    };
    expect(await post(JSON.stringify({ hostname: 'x'.repeat(5_000) }))).toBe('413 ENROLL_BODY_TOO_LARGE');
    expect(await post(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)).toBe('400 ENROLL_REQUEST_INVALID');
    expect(await post('{"__proto__":{}}')).toBe('400 ENROLL_REQUEST_INVALID');
    expect(await post('{}', { 'content-type': 'text/plain' })).toBe('415 ENROLL_BODY_TYPE');
    expect(await post('{}', { 'content-encoding': 'gzip' })).toBe('415 ENROLL_BODY_TYPE');
    expect(await post('{}')).toBe('400 ENROLL_REQUEST_INVALID');
  });

  it('terminal escapes in the words of a machine are stored as question marks', async () => {
    const web = world.machine('escape-1');
    const body = web.body(await world.nonce(door, web), {
      pin: world.pin,
      hostname: 'evil\u001b[2J\nok\u202e',
    });
    const reply = await world.post(door, { ...body, metadata: { note: '\u0007bell' } });
    expect(reply.status).toBe(201);
    const read = await openTable(world.admin, TABLES.enrollments).get(reply.body.id as EnrollmentId);
    expect(read).toMatchObject({ value: { hostname: 'evil?[2J ok?', metadata: { note: '?bell' } } });
  });
});

describe('a flood', () => {
  it('of requests is answered with 429 and when to come back', async () => {
    const { door: narrow } = await world.master({ perSecond: 2 });
    // Ten at once; twice that get to ask, and the rest is closed before TLS.
    const statuses = await Promise.all(Array.from({ length: 18 }, () => world.ask(narrow, ENROLL_CA_PATH)));
    const over = statuses.filter(({ status }) => status === 429);
    expect(over.length).toBeGreaterThan(4);
    expect(over[0]?.headers['retry-after']).toBe('1');
    expect(over[0]?.body.code).toBe('ENROLL_RATE');
    expect((await world.ask(door, ENROLL_CA_PATH)).status).toBe(200);
  });

  it('of connections from one address is closed before TLS, and a machine elsewhere is not', async () => {
    const { door: narrow, limits } = await world.master({ connectionsOfNetworkMax: 4 });
    const { port } = narrow.address;
    const sockets = Array.from({ length: 12 }, () =>
      connectTls({ ...world.tls, port }).on('error', () => undefined),
    );
    await until(() => sockets.filter((socket) => socket.destroyed).length === 8, 'eight to be closed');
    expect(limits.connections.size).toBe(4);
    for (const socket of sockets) socket.destroy();
    await until(() => limits.connections.size === 0, 'the rest to be gone');
    expect((await world.ask(narrow, ENROLL_CA_PATH)).status).toBe(200);
  });

  it('of streams is refused over the limit of one address, and asking is not', async () => {
    const { door: narrow, limits } = await world.master({ streamsOfNetworkMax: 3 });
    const web = world.machine('stream-1');
    const id = (await world.submit(narrow, web)).body.id as EnrollmentId;
    const open = Array.from({ length: 3 }, () => world.ask(narrow, enrollStreamPath(id)));
    await until(() => limits.streams.size === 3, 'three to wait');
    const fourth = await world.ask(narrow, enrollStreamPath(id));
    expect([fourth.status, fourth.body.code, fourth.headers['retry-after']]).toEqual([
      503,
      'ENROLL_STREAMS_BUSY',
      '5',
    ]);
    expect((await world.ask(narrow, enrollStatusPath(id))).status).toBe(200);
    await world.decide('reject', id, 'not ours');
    for (const { text } of await Promise.all(open))
      expect(text).toContain('"state":"rejected","message":"not ours"');
    expect(limits.streams.size).toBe(0);
  });

  it('slow-loris: half a request is cut off, and others are served meanwhile', async () => {
    const socket = connectTls({ ...world.tls, port: door.address.port });
    socket.on('error', () => undefined);
    socket.on('secureConnect', () => socket.write('GET /api/v1/enroll/ca HTTP/1.1\r\nhost: x\r\nx-a: '));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    expect((await world.ask(door, ENROLL_CA_PATH)).status).toBe(200);
    await closed;
  }, 20_000);

  it('while it is not ready, a master sends machines elsewhere', async () => {
    const { door: early } = await world.master({}, false);
    const reply = await world.ask(early, ENROLL_CA_PATH);
    expect([reply.status, reply.body.code]).toEqual([503, 'ENROLL_NOT_READY']);
  });
});

describe('revocation', () => {
  it('cuts the live connection at once, holds after a restart of nats-server, erases, and frees the id', async () => {
    const web = world.machine('revoked-1');
    const { id, jwt } = await world.join(door, web);
    const { line, bus } = world.connect(web, jwt);
    await bus.connected();
    const facts = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: web.curvePublicKey });
    await bus.bucket(BUCKETS.facts.name).put(web.peelId, facts);
    const stored = async () => (await world.admin.bucket(BUCKETS.facts.name).getLatest('revoked-1')).found;
    expect(await stored()).toBe(true);
    const began = Date.now();
    const { record, warning, error } = await world.decide('revoke', id, 'stolen');
    expect([record?.state, warning, error]).toEqual(['revoked', '', '']);
    await until(() => line.status() !== 'connected', 'its line to be cut');
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(await stored()).toBe(false);
    // Its daemon knows that from a server that is away, and asks a door.
    await until(() => isCredentialsFailure(line.failure()), 'it to know why');
    const told = await world.ask<EnrollStatusAnswer>(door, enrollStatusPath(id as EnrollmentId));
    expect(told.body).toEqual({ id, peel_id: 'revoked-1', state: 'revoked', message: 'stolen' });

    await world.server.restart();
    const late = world.connect(web, jwt).line;
    await until(() => late.failure() !== undefined, 'it to be refused');
    expect(late.status()).not.toBe('connected');
    await until(() => world.admin.status() === 'connected', 'the others to be back');

    // What servers keep in memory is lost with them, the challenges, and made again when the line is back.
    const next = world.machine('revoked-1');
    const asked = `${ENROLL_NONCE_PATH}?peel_id=${next.peelId}&public_key=${next.publicKey}`;
    await until(async () => (await world.ask(door, asked)).status === 200, 'challenges to be made again');
    const joined = await world.join(door, next);
    const { bus: nextBus } = world.connect(next, joined.jwt);
    await nextBus.connected();
    await nextBus
      .bucket(BUCKETS.facts.name)
      .put(next.peelId, factsCodec.encode({ [FACT_KEYS.curvePublicKey]: next.curvePublicKey }));
    const current = () => openTable(world.admin, TABLES.enrollments).get(joined.id as EnrollmentId);
    await until(async () => {
      const read = await current();
      return read.is === 'found' && read.value.state === 'active';
    }, 'the new machine to be active');
    expect(await stored()).toBe(true);
  }, 60_000);
});
