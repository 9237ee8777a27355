/** Files of a local fleet as `npm start` runs it: an edit, a broken tree, and the publisher killed in the middle of an edit. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, scratchDir, startZester, zester } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

interface FilesStatus {
  readonly publisher: { readonly master_id: string } | null;
  readonly sets: readonly {
    readonly set: string;
    readonly revision: number | null;
    readonly state?: string;
    readonly note?: string;
  }[];
  readonly peels: readonly {
    readonly peel_id: string;
    readonly state: string;
    readonly states_revision?: number;
  }[];
}

interface Fleet {
  readonly masters: readonly { readonly name: string; readonly pid: number }[];
}

const PEELS = ['web-01', 'web-02'];

describe('files on a local fleet', () => {
  const dir = scratchDir();
  const states = join(dir, 'states');
  const motd = (peel: string) => join(dir, 'peels', peel, 'scratch/motd');
  let up: RunningProgram;

  beforeAll(async () => {
    up = startZester(['up', '--dir', dir, '--masters', '2', '--peels', '2', '--format', 'json']);
    await until(
      () => {
        if (up.child.exitCode !== null) throw new Error(up.err());
        return JSON.parse(up.out()) as Fleet;
      },
      'the fleet',
      60_000,
    );
  }, 90_000);
  afterAll(async () => {
    up.child.kill('SIGINT');
    expect((await up.ended).code).toBe(0);
  });

  const run = (...words: string[]) => zester([...words, '--dir', dir]);
  const status = async () => {
    const { out, code } = await run('files', 'status', '--format', 'json');
    return { code, ...(JSON.parse(out) as FilesStatus) };
  };
  const revisionOf = ({ sets }: FilesStatus, set: string) =>
    sets.find((each) => each.set === set)?.revision ?? 0;
  const write = (path: string, text: string) => {
    const full = join(states, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  };

  /** Every peel has a revision of the states that is newer than this one. */
  const onEveryPeel = (before: number, msMax = 30_000) =>
    until(
      async () => {
        const now = await status();
        const revision = revisionOf(now, 'states');
        const isEverywhere = now.peels.every((peel) => peel.states_revision === revision);
        return revision > before && isEverywhere ? now : undefined;
      },
      'the edit on every peel',
      msMax,
    );

  it('the first apply finds the states, and nothing has to be published by hand', async () => {
    const now = await status();
    expect([now.code, revisionOf(now, 'states'), revisionOf(now, 'settings')]).toEqual([0, 1, 1]);
    expect(now.peels.map(({ peel_id, state }) => [peel_id, state])).toEqual(
      PEELS.map((peel) => [peel, 'current']),
    );
    expect((await run('*', 'state.apply')).code).toBe(0);
    for (const peel of PEELS) expect(readFileSync(motd(peel), 'utf8')).toContain('Welcome to');
  });

  it('an edit is used by the next apply, by itself', async () => {
    const before = revisionOf(await status(), 'states');
    appendFileSync(join(states, 'common/motd.j2'), 'Mind the step.\n');
    await onEveryPeel(before);
    expect((await run('*', 'state.apply')).code).toBe(0);
    for (const peel of PEELS) expect(readFileSync(motd(peel), 'utf8')).toContain('Mind the step.');
  });

  it('a tree with a mistake says file and line for each peel, and changes nothing', async () => {
    const before = revisionOf(await status(), 'states');
    const were = PEELS.map((peel) => readFileSync(motd(peel), 'utf8'));
    const whole = readFileSync(join(states, 'common/init.zy'), 'utf8');
    appendFileSync(join(states, 'common/motd.j2'), 'Never seen.\n');
    write('common/init.zy', `${whole}\nwrong:\n  file.managed:\n    - contnets: x\n`);
    await onEveryPeel(before);
    const line =
      readFileSync(join(states, 'common/init.zy'), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('contnets')) + 1;
    const { code, out } = await run('*', 'state.apply', '--format', 'json');
    const { returns } = JSON.parse(out) as { returns: Record<string, { readonly error: string }> };
    expect(code).toBe(2);
    for (const peel of PEELS) expect(returns[peel]?.error).toContain(`common/init.zy:${line}:`);
    expect(PEELS.map((peel) => readFileSync(motd(peel), 'utf8'))).toEqual(were);
    write('common/init.zy', whole);
    await onEveryPeel(before + 1);
    expect((await run('*', 'state.apply')).code).toBe(0);
    for (const peel of PEELS) expect(readFileSync(motd(peel), 'utf8')).toContain('Never seen.');
  });

  it('a tree that must not be published is not, says where, and what is published stays', async () => {
    const before = revisionOf(await status(), 'states');
    write(
      'db/init.zy',
      'db:\n  file.managed:\n    - name: /tmp/db\n    - contents: !encrypted "s3cret-in-states"\n',
    );
    const broken = await until(async () => {
      const now = await status();
      return now.sets.find(({ set, state }) => set === 'states' && state === 'broken');
    }, 'the publisher to refuse it');
    expect(broken.note).toContain('db/init.zy:4:');
    expect(broken.note).not.toContain('s3cret-in-states');
    const refused = await run('files', 'publish', '--force');
    expect([refused.code, refused.out]).toEqual([2, expect.stringContaining('db/init.zy:4:')]);
    const doctor = await run('doctor');
    expect(doctor.out).toContain('states cannot be published, broken: db/init.zy:4:');
    expect(revisionOf(await status(), 'states')).toBe(before);
    rmSync(join(states, 'db'), { recursive: true });
    await until(async () => (await status()).code === 0, 'all to be well again');
  });

  it('the publisher killed in the middle of an edit leaves it to the other one', async () => {
    const before = await status();
    const { out } = await run('master', 'list', '--format', 'json');
    const masters = JSON.parse(out) as readonly { readonly master_id: string; readonly pid: number }[];
    const publisher = masters.find(({ master_id }) => master_id === before.publisher?.master_id);
    expect(publisher).toBeDefined();
    write(
      'late/init.zy',
      'late:\n  file.managed:\n    - name: {{ facts.scratch }}/late\n    - contents: in time\n',
    );
    process.kill(publisher?.pid ?? 0, 'SIGKILL');
    appendFileSync(join(states, 'late/init.zy'), '    - mode: 640\n');
    const after = await onEveryPeel(revisionOf(before, 'states'), 60_000);
    const late = (peel: string) => join(dir, 'peels', peel, 'scratch/late');
    await until(
      async () => {
        await run('*', 'state.apply', 'late');
        return PEELS.every((peel) => existsSync(late(peel)) && (statSync(late(peel)).mode & 0o777) === 0o640);
      },
      'both halves of the edit on the peels',
      60_000,
    );
    expect(after.publisher).not.toBeNull();
    for (const peel of PEELS) expect(readFileSync(late(peel), 'utf8')).toBe('in time\n');
  }, 150_000);
});
