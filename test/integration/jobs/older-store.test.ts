/**
 * A real nats-server that is stopped and comes back with an older copy of its store, or with a stream less: masters that
 * lived through it say so once, those that start later know it from the record, doctor tells, and nothing is said of a
 * purge, a restart or a killed server.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStoreHistory } from '../../../src/client/doctor/examine-fleet.ts';
import { judgeStoreHistory } from '../../../src/core/doctor/store-history.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { streamPurgeSubject } from '../../../src/wire/names/jetstream.ts';
import { STORE_WATCH_KEY } from '../../../src/wire/names/keys.ts';
import { kvStreamName } from '../../../src/wire/names/store-subjects.ts';
import { STREAMS } from '../../../src/wire/names/streams.ts';
import { parseStoreWatch, WATCHED_STORES } from '../../../src/wire/records/store-watch.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { until } from '../../harness/until.ts';

const ROWS = kvStreamName(BUCKETS.jobReturns.name);
/** Looks so often that a test need not wait for one. */
const SETTINGS = { storeLookMs: 300 };
const WAIT_MS = 60_000;
/** One for each test, made while the file is read. */
const worlds = Array.from({ length: 4 }, () => new JobsWorld());

describe('a NATS that comes back older', () => {
  let world: JobsWorld;
  beforeEach(async () => {
    world = worlds.pop() as JobsWorld;
    await world.open(2, SETTINGS);
    await world.peel('web-01');
    await job();
  }, 90_000);
  afterEach(() => world.close(), 60_000);

  const job = async () => {
    const asked = world.job(['web-01'], { function: 'test.ping' });
    await world.dispatch(asked);
    await world.ended(asked);
  };
  const reports = () => world.masterLines.filter(({ msg }) => msg.startsWith('NATS is older than it was'));
  const reported = () => reports().map(({ asset }) => asset as string);
  const record = async () => {
    const read = await world.admin.bucket(BUCKETS.storeWatch.name).getLatest(STORE_WATCH_KEY);
    return read.found ? parseStoreWatch(read.value) : undefined;
  };
  const doctor = async () => judgeStoreHistory(await readStoreHistory(world.admin, systemClock.nowMs()));
  /** Every watched stream is in the record as far as it has come: the masters have looked. */
  const looked = () =>
    until(
      async () => {
        const marks = (await record())?.marks ?? {};
        const last = await Promise.all(
          WATCHED_STORES.map(async (asset) => (await world.admin.stream(asset).state()).lastSequence),
        );
        return WATCHED_STORES.every((asset, i) => marks[asset]?.sequence === last[i]);
      },
      'the masters to look',
      WAIT_MS,
    );
  const storeDir = () => join(world.server.dir, 'store');
  const backup = () => join(world.server.dir, 'backup');
  /** Stopped in order, copied, started. */
  const takeBackup = async () => {
    await world.server.kill9();
    cpSync(storeDir(), backup(), { recursive: true });
    await world.server.restart();
  };

  it('an older copy of the whole store: masters say it once for each stream, doctor tells, and nobody says it again', async () => {
    await takeBackup();
    await job();
    await looked();
    expect(reported()).toEqual([]);
    expect((await doctor()).verdict).toBe('ok');

    await world.server.kill9();
    rmSync(storeDir(), { recursive: true });
    cpSync(backup(), storeDir(), { recursive: true });
    await world.server.restart();
    // The master that knew of the last write tells; the other may have looked before it.
    await until(
      () => WATCHED_STORES.every((asset) => reported().includes(asset)),
      'masters to tell',
      WAIT_MS,
    );
    expect(reports()[0]).toMatchObject({
      level: 'error',
      kind: expect.stringMatching(/went-back|rewritten/),
    });
    await until(async () => (await record())?.losses.length === WATCHED_STORES.length, 'the record', WAIT_MS);
    expect(await doctor()).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('NATS came back older'),
      fix: expect.stringContaining('zester job list'),
    });
    // The fleet goes on, and neither a job nor a master that starts says it again.
    await job();
    const later = world.master('later', SETTINGS);
    await later.ready;
    await looked();
    const told = reports().map(({ master, asset }) => `${String(master)} ${String(asset)}`);
    expect(new Set(told).size).toBe(told.length);
    expect(new Set(reports().map(({ master }) => master)).size).toBeLessThanOrEqual(2);
    expect((await record())?.losses).toHaveLength(WATCHED_STORES.length);
  }, 180_000);

  it('one stream lost while no master ran: the next master knows it from the record', async () => {
    await looked();
    await Promise.all(world.masters.map((master) => master.stop()));
    await world.admin.api(`$JS.API.STREAM.DELETE.${ROWS}`, {});
    expect(reported()).toEqual([]);
    await world.master('next', SETTINGS).ready;
    await until(() => reported().length > 0, 'it to tell', WAIT_MS);
    expect(reports()).toMatchObject([{ asset: ROWS, kind: 'replaced' }]);
    expect(reports()[0]?.msg).toContain(`${ROWS} was made anew`);
  }, 120_000);

  it('doctor sees by itself what no master has noticed', async () => {
    await looked();
    await Promise.all(world.masters.map((master) => master.stop()));
    const { config } = await world.admin.api(`$JS.API.STREAM.INFO.${ROWS}`, {});
    await world.admin.api(`$JS.API.STREAM.DELETE.${ROWS}`, {});
    await world.admin.api(`$JS.API.STREAM.CREATE.${ROWS}`, config as object);
    expect(await doctor()).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining(`NATS is older than it was: ${ROWS} was made anew`),
    });
  }, 120_000);

  it('a purge, a restart and a killed server are no loss', async () => {
    await looked();
    for (const asset of [ROWS, STREAMS.jobEvents.name, STREAMS.jobWords.name])
      await world.admin.api(streamPurgeSubject(asset), {});
    await world.server.restart();
    await job();
    await world.server.kill9();
    await world.server.restart();
    await job();
    await looked();
    expect(reported()).toEqual([]);
    expect((await doctor()).verdict).toBe('ok');
    expect((await record())?.losses).toEqual([]);
  }, 120_000);
});
