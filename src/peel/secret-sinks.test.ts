/** A whole peel that knows a secret: each way out of it is taken, well and badly, and none of them tells the secret. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DATA_DIR, PEEL, PeelWorld } from '../../test/harness/peel/peel-world.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import type { Jid } from '../wire/names/ids.ts';
import { execResponseCodec } from '../wire/records/exec.ts';
import { FILE_SETS } from '../wire/records/file-set.ts';
import { settingsCachePath, statesCachePath } from './data-dir.ts';

const SECRET = 'tr0ub4dor-and-3';
const MARKER = '[secret db.password]';
const CACHES = { states: statesCachePath(DATA_DIR), settings: settingsCachePath(DATA_DIR) };
const STATES = {
  'good.zy': '/srv/conf:\n  file.managed:\n    - contents: password={{ pillar.db.password }}\n',
  'bad.zy': "'fails {{ pillar.db.password }}':\n  cmd.run: []\n",
  'broken.zy': "{% set x = pillar.db.password %}\n'{{ x }}':\n  no.such: [{{ x }}]\n",
};

let world: PeelWorld;

beforeEach(async () => {
  world = await PeelWorld.withPeel({
    withStates: true,
    caches: CACHES,
    programs: () => async (program) => {
      if (program.argv.join().includes('slow')) await program.sleep(1_000);
      program.print(`said ${program.argv.join(' ')}\n`);
      program.printError(`cried ${program.argv.join(' ')}\n`);
      return 3;
    },
  });
  await world.machine.boot().files.makeDirectory('/srv', { parents: true });
  await world.publishFiles(FILE_SETS.states, STATES);
  await world.putSecrets({ 'db.password': SECRET });
  await world.publishFiles(FILE_SETS.settings, {
    'top.zy': "base:\n  '*': [common]\n",
    'common.zy': 'db: {password: "__ZESTER_SECRET:db.password__"}\n',
  });
});

async function run(module: string, id = '', args = {}): Promise<Jid> {
  const request = { ...world.request(module, { id }), args };
  world.send(request);
  await world.advance(5_000);
  return request.jid;
}

/** The answer as it was stored in the stream, and that it is one. */
async function told(jid: Jid): Promise<string> {
  const [found] = await world.returnsOf(jid);
  const response = execResponseCodec.decode(found?.returnData ?? new Uint8Array());
  return JSON.stringify([found?.error, response.error, response.results], (_, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
}

/** Everything on the disk of the machine but what a state put there, as one text. */
function disk(): string {
  const entries = world.machine.look('/').filter(({ path }) => !path.startsWith('srv/'));
  return entries.map(({ path, bytes }) => `${path}\n${Buffer.from(bytes).toString('latin1')}`).join('\n');
}

function expectSilent(...texts: readonly string[]): void {
  for (const text of [...texts, disk(), JSON.stringify(world.logs)])
    expect(text.includes(SECRET)).toBe(false);
}

describe('a secret of the settings', () => {
  it('is in what a state writes, and not in its diff', async () => {
    const answer = await told(await run('state.apply', 'good'));
    expect(world.machine.look('/srv').map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      `password=${SECRET}\n`,
    ]);
    expect(answer).toContain(MARKER);
    expectSilent(answer);
    expectSilent(await told(await run('state.revert')));
    expectSilent(await told(await run('state.runs')));
  });

  it('is not in the name, the output or the error of a command that fails', async () => {
    const answer = await told(await run('state.apply', 'bad'));
    expect(answer).toContain(`cmd.run:fails ${MARKER}`);
    expect(answer).toContain(`cried /bin/sh -c fails ${MARKER}`);
    expectSilent(answer);
  });

  it('is not in the errors of state files that cannot be compiled', async () => {
    const answer = await told(await run('state.apply', 'broken'));
    expect(answer).toContain('no.such');
    expectSilent(answer);
  });

  it('is not in what functions answer, whole or encoded, and not where an operator says it', async () => {
    for (const [module, id] of [
      ['settings.items', ''],
      ['settings.get', 'db.password'],
      ['settings.explain', 'db.password'],
      ['pillar.items', ''],
      ['state.show_low_sls', 'good'],
      ['test.echo', SECRET],
      ['cmd.run', `echo ${SECRET}`],
    ] as const) {
      const answer = await told(await run(module, id));
      expect([module, answer.includes('db.password')]).toEqual([module, true]);
      expectSilent(answer);
    }
    const encoded = Buffer.from(SECRET).toString('base64');
    expect(await told(await run('test.echo', encoded))).not.toContain(encoded);
  });

  it('is not in a return that waits on disk for NATS', async () => {
    const request = { ...world.request('cmd.run', { id: `slow ${SECRET}` }), args: {} };
    world.send(request);
    await world.advance(500);
    world.server.stop();
    await world.advance(5_000);
    const files = await world.files(`${DATA_DIR}/jobs`);
    expect(files).toEqual([request.jid]);
    expect(disk()).toContain(MARKER);
    expectSilent();
  });

  it('is not in the answer to a direct request', async () => {
    const request = { ...world.request('test.echo', { id: SECRET }), args: {} };
    const answers = await world.sendDirect(request);
    await world.advance(1_000);
    expect(answers).toHaveLength(1);
    const text = Buffer.from(answers[0]?.data ?? '').toString('latin1');
    expect(text).toContain(MARKER);
    expectSilent(text);
  });

  it('is not in published facts, also where it was a fact before it was a secret', async () => {
    await run('facts.set', 'token', { value: SECRET });
    await run('facts.set', 'later', { value: 'soon-to-be-secret' });
    const facts = async () => {
      const [read] = await Promise.all([world.master.bucket(BUCKETS.facts.name).get(PEEL), world.advance(0)]);
      return read.found ? Buffer.from(read.value).toString('latin1') : '';
    };
    expect(await facts()).toContain(MARKER);
    expect(await facts()).not.toContain(SECRET);
    expect(await facts()).toContain('soon-to-be-secret');
    await world.putSecrets({ 'db.password': SECRET, 'api.token': 'soon-to-be-secret' });
    await world.advance(2_000);
    expect(await facts()).not.toContain('soon-to-be-secret');
    // What the peel itself goes by is as it was.
    expect(await told(await run('test.echo', 'x'))).toContain('x');
  });

  it('is not in the problem that a heartbeat tells', async () => {
    const bucket = world.master.bucket(FILE_SETS.states.bucket.name);
    const name = `${SECRET}.zy`;
    world.crash('kill');
    await world.publishFiles(FILE_SETS.states, { ...STATES, [name]: 'x' });
    await Promise.all([bucket.erase(name), world.advance(10)]);
    world.startPeel();
    await world.advance(20_000);
    const { filesProblem } = await world.heartbeat();
    expect(filesProblem).toBe(
      `states: the published states are incomplete: ${MARKER}.zy is listed and not there`,
    );
    expect(
      JSON.stringify(world.logged('published files cannot be mirrored; those from before stay in use')),
    ).toContain(MARKER);
    expect(JSON.stringify(world.logs)).not.toContain(SECRET);
  });

  it('is known before anything else happens in the next life, without NATS too', async () => {
    await run('settings.items');
    world.crash('power');
    await Promise.all([world.master.bucket(BUCKETS.secrets.name).erase(PEEL), world.advance(10)]);
    world.startPeel();
    await world.advance(2_000);
    expect(await told(await run('test.echo', SECRET))).toContain(MARKER);
  });
});
