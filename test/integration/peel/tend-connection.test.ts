/** A peel that has lost its NATS servers asks the masters' doors: for other addresses, for new credentials, and what time it is. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zesterError } from '../../../src/core/errors/zester-error.ts';
import { joinMachine } from '../../../src/peel/join/join-machine.ts';
import { parseJoinOptions } from '../../../src/peel/join/join-options.ts';
import { type TendPorts, tendConnection } from '../../../src/peel/join/tend-connection.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { loadCreds } from '../../../src/trust/auth-dir.ts';
import {
  answer,
  type DoorScript,
  SCRIPTED_ID,
  ScriptedCa,
  ScriptedDoor,
} from '../../harness/join/scripted-door.ts';
import { until } from '../../harness/until.ts';

const ca = new ScriptedCa();
const root = mkdtempSync(join(tmpdir(), 'zester-tend-'));
const TIMES = { patienceMs: 50, lookEveryMs: 20, reachMs: 2_000 };
let dir = '';
let logged = '';
let used: (readonly string[])[] = [];
let status: 'connected' | 'disconnected' = 'disconnected';
let script: { -readonly [Key in keyof DoorScript]: DoorScript[Key] } = {};
let door: ScriptedDoor;
const stops: (() => void)[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(root, 'peel-'));
  logged = '';
  used = [];
  status = 'disconnected';
  script = {};
  door = await ScriptedDoor.open(ca, script);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await door.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function joined(): Promise<string> {
  const command = parseJoinOptions([door.url, '--pin', ca.pin, '--id', 'web-01', '--auth-dir', dir]);
  if (!('join' in command)) throw new Error('not a join');
  const files = { read: async () => Buffer.from('vm\n') };
  const line = {
    clock: systemClock,
    random: systemRandom,
    signal: new AbortController().signal,
    say: () => {},
  };
  return (await joinMachine(command.join, files, line)).credsFile;
}

function tend(credsFile: string, given: Partial<TendPorts> = {}): void {
  const write = (text: string) => {
    logged += text;
  };
  const tending = tendConnection({
    connection: {
      status: () => status,
      failure: () => undefined,
      useServers: (servers) => void used.push(servers),
    },
    runtime: { clock: systemClock, random: systemRandom, log: jsonLog({ clock: systemClock, write }) },
    authDir: dir,
    readCreds: () => loadCreds(credsFile),
    areServersGiven: false,
    times: TIMES,
    ...given,
  });
  stops.push(() => tending.stop());
}

const asksOf = (path: string) => door.asked.filter((each) => each.endsWith(path)).length;

describe('a peel without its NATS servers', () => {
  it('learns where they are now, writes it down, and keeps what it was told on its command line', async () => {
    const creds = await joined();
    script.ca = answer(200, door.bootstrap(['tls://10.0.0.9:4222']));
    tend(creds);
    await until(() => used.length > 0, 'other servers to be used');
    expect(used[0]).toEqual(['tls://10.0.0.9:4222']);
    expect(JSON.parse(readFileSync(join(dir, 'enrollment.json'), 'utf8'))).toMatchObject({
      nats_urls: ['tls://10.0.0.9:4222'],
      masters: [door.url],
    });
    // Known by now: asked for again, changed no more.
    const asks = asksOf('/ca');
    await until(() => asksOf('/ca') > asks + 1, 'further looks');
    expect(used.length).toBe(1);
  });

  it('asks nobody while it is connected, and takes no addresses where they were given', async () => {
    const creds = await joined();
    const asks = asksOf('/ca');
    status = 'connected';
    let looks = 0;
    const looked = () => {
      looks += 1;
      return status;
    };
    const nothing = { failure: () => undefined, useServers: () => undefined };
    tend(creds, { connection: { status: looked, ...nothing } });
    await until(() => looks > 5, 'a few looks');
    expect(asksOf('/ca')).toBe(asks);
    script.ca = answer(200, door.bootstrap(['tls://10.0.0.9:4222']));
    tend(creds, { areServersGiven: true });
    status = 'disconnected';
    await until(() => asksOf('/ca') > asks + 1, 'the door to be asked');
    expect(used).toEqual([]);
  });

  it('a door with another CA is not believed', async () => {
    const creds = await joined();
    const stranger = new ScriptedCa();
    const other = await ScriptedDoor.open(stranger, {
      ca: answer(200, door.bootstrap(['tls://6.6.6.6:4222'])),
    });
    const file = join(dir, 'enrollment.json');
    const text = readFileSync(file, 'utf8').replace(/https:\/\/127\.0\.0\.1:\d+/, other.url);
    writeFileSync(file, text);
    tend(creds);
    await until(() => logged.includes('JOIN_UNTRUSTED'), 'it to be refused');
    expect(used).toEqual([]);
    await other.close();
  });

  it('credentials that have expired are asked for again with the same key', async () => {
    const creds = await joined();
    const before = loadCreds(creds);
    const expired = { ...before, claims: { ...before.claims, exp: 1 } };
    let isFirst = true;
    const readCreds = () => {
      const read = isFirst ? expired : loadCreds(creds);
      isFirst = false;
      return read;
    };
    tend(creds, { readCreds });
    await until(() => logged.includes('there are new credentials'), 'new credentials');
    expect(loadCreds(creds).key.publicKey).toBe(before.key.publicKey);
  });

  it('a clock that is not the server’s is told, with both', async () => {
    const creds = await joined();
    script.ca = answer(200, door.bootstrap(), { date: 'Sun, 06 Nov 1994 08:49:37 GMT' });
    tend(creds);
    await until(
      () => logged.includes('the clocks of this machine and of a master differ'),
      'the clock to be told',
    );
    expect(logged).toContain('Sun, 06 Nov 1994 08:49:37 GMT');
  });

  describe('whose credentials NATS refuses', () => {
    const refusing = (credsFile: string) =>
      tend(credsFile, {
        connection: {
          status: () => status,
          failure: () => zesterError('BUS_CREDENTIALS', { servers: 'tls://127.0.0.1:4222' }),
          useServers: (servers) => void used.push(servers),
        },
        times: { ...TIMES, patienceMs: 600_000 },
      });
    const standing = (state: string, more: object = {}) =>
      answer(200, { id: SCRIPTED_ID, peel_id: 'web-01', state, ...more });
    const told = () => logged.split('NATS refuses the credentials').length - 1;

    it.each([
      ['revoked', () => standing('revoked', { message: 'stolen' }), ['was revoked', '"stolen"', '--again']],
      ['rejected', () => standing('rejected'), ['"rejected"', '--again']],
      ['unknown', () => answer(404, { error: 'unknown' }), ['"unknown"', '--again']],
      ['active', () => standing('active'), ['"active"', 'zester doctor']],
    ])(
      'and whose enrollment is %s says so at once, and once, and asks for nothing',
      async (_, now, words) => {
        const creds = await joined();
        const sent = door.bodies.length;
        script.status = now();
        refusing(creds);
        await until(() => asksOf('/status') > 3, 'a few looks');
        for (const word of words) expect(logged).toContain(word);
        expect([told(), door.bodies.length]).toEqual([1, sent]);
      },
    );

    it('and which has asked again goes on with that: approved, it has new credentials', async () => {
      const creds = await joined();
      const before = readFileSync(creds, 'utf8');
      script.status = standing('pending');
      script.stream = (_, response) => {
        script.status = standing('approved');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('event: state\ndata: {"state":"approved"}\n\n');
      };
      const jwt = door.jwt('web-01', loadCreds(creds).key.publicKey, 7_200_000);
      script.creds = answer(200, { peel_id: 'web-01', creds_data: Buffer.from(jwt).toString('base64') });
      refusing(creds);
      await until(() => logged.includes('there are new credentials'), 'new credentials');
      expect(readFileSync(creds, 'utf8')).not.toBe(before);
      expect(logged).toContain('goes on with that');
    });

    it('and where no door can be reached says that, and looks again', async () => {
      const creds = await joined();
      await door.close();
      refusing(creds);
      await until(() => logged.includes('JOIN_UNREACHABLE') || logged.includes('no master'), 'it to be told');
      expect(told()).toBe(0);
      door = await ScriptedDoor.open(ca, script);
    });
  });
});
