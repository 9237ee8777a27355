/**
 * The fleet key is rotated on a real nats-server while jobs run on real masters and peels: none is lost, none runs twice, the old
 * key is refused afterwards, and a peel that was away during the whole overlap works when it is back.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../../src/bus/port.ts';
import { readKey, rotateKey } from '../../../src/client/fleet-key/ask-fleet-key.ts';
import { makeCommandProof, proofKeyForPeel } from '../../../src/trust/command-proof.ts';
import { curveKeyOf } from '../../../src/trust/nkeys.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import { commandSubject, JOB_SUBJECTS, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import { execRequestCodec } from '../../../src/wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { jobCodec } from '../../../src/wire/records/job.ts';
import { formatProof } from '../../../src/wire/records/proof-header.ts';
import { clientOf } from '../../harness/client-of.ts';
import { JobsWorld, type PeelProgram } from '../../harness/jobs-world.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const world = new JobsWorld();
const names = ['web-0', 'web-1', 'web-2'];
const runs = new Map<string, number>();
let away: PeelProgram;

beforeAll(async () => {
  await world.open(2, { fleetKeyOverlapMinMs: 3_000, fleetKeyOverlapMaxMs: 8_000, heartbeatMs: 1_000 });
  await Promise.all(
    names.map((name) =>
      world.peel(name, {
        functions: countingFunctions((jid) =>
          runs.set(`${name} ${jid}`, (runs.get(`${name} ${jid}`) ?? 0) + 1),
        ),
      }),
    ),
  );
  away = await world.program('away-0');
}, 60_000);
afterAll(() => world.close());

async function ends(jid: string): Promise<string> {
  const jobs = world.admin.bucket(BUCKETS.jobs.name);
  let status = '';
  await until(async () => {
    const read = await jobs.getLatest(jid);
    status = read.found ? jobCodec.decode(read.value).status : '';
    return ['complete', 'partial', 'failed'].includes(status);
  }, `the end of ${jid}`);
  return status;
}

it('jobs run through a rotation, and who was away comes back to the new generation', async () => {
  await away.kill9();
  const client = clientOf(world.admin, testRuntime);
  const jobs: string[] = [];
  let isOver = false;
  const load = async () => {
    while (!isOver) {
      const base = world.job(names, { function: 'test.look' });
      const job = { ...base, args: { run: base.jid } };
      expect(await world.dispatch(job)).toEqual({ jid: job.jid });
      jobs.push(job.jid);
      expect(await ends(job.jid)).toBe('complete');
    }
  };
  const loads = [load(), load(), load()];
  const begun = await rotateKey(client, 'fleet');
  expect(begun).toMatchObject({ isOverlap: true });
  await until(async () => !(await readKey(client, 'fleet')).isOverlap, 'the end of the overlap', 20_000);
  const before = jobs.length;
  await until(() => jobs.length >= before + 6, 'jobs after the overlap', 20_000);
  isOver = true;
  await Promise.all(loads);
  const standing = await readKey(client, 'fleet');
  expect(standing.generations.map(({ generation, isGood }) => [generation, isGood])).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(jobs.length).toBeGreaterThan(20);
  expect([...runs.values()].every((times) => times === 1)).toBe(true);
  expect(runs.size).toBe(jobs.length * names.length);
  await away.restart();
  const job = world.job(['away-0'], { function: 'test.ping' });
  expect(await world.dispatch(job)).toEqual({ jid: job.jid });
  expect(await ends(job.jid)).toBe('complete');
}, 90_000);

it('the old generation is refused by every peel, the first and the one that came back', async () => {
  const heard: Message[] = [];
  await world.admin.subscribe(JOB_SUBJECTS, (message) => heard.push(message));
  const old = curveKeyOf(world.trust.topology.control);
  for (const peel of ['web-0', 'away-0']) {
    const facts = await world.admin.bucket(BUCKETS.facts.name).getLatest(peel);
    const curve = facts.found ? factsCodec.decode(facts.value)[FACT_KEYS.curvePublicKey] : undefined;
    const key = proofKeyForPeel(old, String(curve));
    if (key === undefined) throw new Error('no curve key');
    const forged = world.job([peel]).jid;
    const request = execRequestCodec.create({ jid: forged, module: 'test.ping', id: 'x', args: {} });
    const payload = execRequestCodec.encode(request);
    const proof = formatProof(makeCommandProof(key, peel as PeelId, payload));
    const headers = new Map([[PROOF_HEADER, proof]]);
    world.admin.publish(commandSubject(peel as PeelId), payload, { headers });
    // What comes after it on the same line is answered, so it was looked at.
    const base = world.job([peel], { function: peel === 'away-0' ? 'test.ping' : 'test.look' });
    await world.dispatch({ ...base, args: peel === 'away-0' ? {} : { run: base.jid } });
    expect(await ends(base.jid)).toBe('complete');
    expect(heard.map(({ subject }) => subject)).toContain(jobReturnSubject(base.jid, peel as PeelId));
    expect(heard.filter(({ subject }) => subject.includes(forged))).toEqual([]);
  }
}, 60_000);
