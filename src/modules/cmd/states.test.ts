/** `cmd.*` as states on this machine: what a plan says, and what running it does. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import type { Clock } from '../../runtime/clock.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { systemRandom } from '../../runtime/system-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import type { FakeProcess } from '../../system/memory/memory-process-calls.ts';
import type { System } from '../../system/system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { ActContext, Plan, StateModule } from '../state-contract.ts';
import { cmdRun, cmdWait } from './run-state.ts';
import { cmdScript, removeLeftScripts } from './script-state.ts';

const TREE = {
  'app/hello.sh':
    '#!/bin/sh\necho "hello $1" "$2"; echo "$0" >&2; ls -ld "$(dirname "$0")" "$0" | cut -c1-10\n',
  'app/greet.sh': 'echo {{ greeting }} $GREETED\n',
};
const JID = '2wHyPZTlDs1GYQ6jPnDs7v3TqWk';
const linux = linuxSystem({ clock: systemClock, random: systemRandom });
const root = process.getuid?.() === 0;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zester-cmd-state-'));
  chmodSync(directory, 0o777);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const bench = (system: System = linux) => stateBench({ system, tree: TREE });

async function apply(module: StateModule, id: string, args: WireMap = {}, system: System = linux) {
  const plan = await bench(system).plan(module, id, args);
  return { plan, outcome: await act(plan, system) };
}

function act(
  { steps: [step] }: Plan,
  system: System,
  { signal = new AbortController().signal, clock = systemClock as Clock } = {},
) {
  const tree = memoryTree(TREE);
  const callFunction = async () => expect.unreachable('a command calls no function');
  const context: ActContext = { jid: JID, system, tree, callFunction, clock, signal };
  return step?.kind === 'act' ? step.run(context) : expect.unreachable('it runs something');
}

describe('cmd.run', () => {
  it('is one step that cannot be undone, foreseen as a change', async () => {
    const { plan, outcome } = await apply(cmdRun, 'echo out; echo err >&2');
    expect(plan).toMatchObject({
      steps: [{ kind: 'act', what: 'runs echo out; echo err >&2', predicts: 'change', opaque: true }],
      diff: 'runs echo out; echo err >&2',
    });
    expect(outcome).toEqual({
      changed: true,
      details: { stdout: 'out', stderr: 'err', exitcode: '0' },
      data: { exitcode: 0 },
    });
  });

  it('starts nothing while it plans', async () => {
    await bench().plan(cmdRun, `touch ${directory}/x`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('fails on another exit code, and keeps what was said', async () => {
    const { outcome } = await apply(cmdRun, 'echo partly; exit 3');
    expect(outcome).toMatchObject({ changed: true, error: 'exited with 3', details: { stdout: 'partly' } });
  });

  it('takes other exit codes for good when told', async () => {
    const args = { success_retcodes: [3, '4'] };
    expect((await apply(cmdRun, 'exit 3', args)).outcome).toEqual({
      changed: true,
      details: { stdout: '', stderr: '', exitcode: '3' },
      data: { exitcode: 3 },
    });
    expect((await apply(cmdRun, 'exit 0', args)).outcome.error).toBeUndefined();
    expect((await apply(cmdRun, 'exit 5', args)).outcome.error).toBe('exited with 5');
    await expect(apply(cmdRun, 'true', { success_retcodes: 'none' })).rejects.toThrow(
      'exit codes such as 3, not none',
    );
  });

  it('hides what it prints when told', async () => {
    const { outcome } = await apply(cmdRun, 'echo secret; exit 1', { hide_output: true });
    expect(outcome).toEqual({
      changed: true,
      details: { exitcode: '1' },
      data: { exitcode: 1 },
      error: 'exited with 1',
    });
    const binary = await apply(cmdRun, "printf '\\377'", { hide_output: true });
    expect(binary.outcome.data).toEqual({ exitcode: 0 });
  });

  it('hands args to the program without a shell', async () => {
    const { plan, outcome } = await apply(cmdRun, '/usr/bin/printf', { args: ['%s', 'a; $HOME'] });
    expect(plan.diff).toBe('runs /usr/bin/printf %s a; $HOME');
    expect(outcome.details?.stdout).toBe('a; $HOME');
  });

  it('runs where, with what and for whom it is told', async () => {
    const args = { cwd: directory, env: [{ A: 'x' }, { B: 2 }], stdin: 'in' };
    const { outcome } = await apply(cmdRun, 'pwd; echo $A$B; cat', args);
    expect(outcome.details?.stdout).toBe(`${directory}\nx2\nin`);
    if (root)
      expect((await apply(cmdRun, 'id -un', { runas: 'nobody' })).outcome.details?.stdout).toBe('nobody');
  });

  it('does not run when all that it creates is there', async () => {
    const creates = [`${directory}/a`, `${directory}/b`];
    const args = { creates };
    expect((await bench().plan(cmdRun, `touch ${directory}/a`, args)).steps).toHaveLength(1);
    await apply(cmdRun, `touch ${creates.join(' ')}`, args);
    expect(await bench().plan(cmdRun, 'false', args)).toEqual({ steps: [], diff: '' });
    expect((await bench().plan(cmdRun, 'false', args, { forced: true })).steps).toEqual([]);
  });

  it('is killed at its timeout and when the run is cancelled', async () => {
    const { outcome } = await apply(cmdRun, 'sleep 60', { timeout: '100ms' });
    expect(outcome.error).toBe('timed out after 100ms, killed');
    const plan = await bench().plan(cmdRun, 'sleep 60');
    expect((await act(plan, linux, { signal: AbortSignal.abort() })).error).toBe('killed');
  });

  it.each<[WireMap, string]>([
    [{ cwd: '/none/such' }, 'no working directory /none/such'],
    [{ runas: 'nosuchuser' }, 'no user nosuchuser'],
    [{ timeout: 0 }, 'timeout must be more than 0'],
    [{ stateful: true }, 'it has no parameter stateful'],
    [{ shell: '/bin/bash' }, 'it has no parameter shell'],
  ])('fails in the plan with %j', async (args, message) => {
    await expect(bench().plan(cmdRun, 'true', args)).rejects.toThrow(message);
  });
});

describe('cmd.wait', () => {
  it('runs only when it is forced', async () => {
    expect(await bench().plan(cmdWait, 'true')).toEqual({ steps: [], diff: '' });
    const forced = await bench().plan(cmdWait, 'echo now', {}, { forced: true });
    expect(forced.diff).toBe('runs echo now');
    expect((await act(forced, linux)).details?.stdout).toBe('now');
  });
});

describe('cmd.script', () => {
  it('runs a script of the tree where only its user can read it, and leaves nothing', async () => {
    const { plan, outcome } = await apply(cmdScript, 'salt://app/hello.sh', { args: ['a b', "it's"] });
    expect(plan.diff).toBe("runs salt://app/hello.sh 'a b' 'it'\\''s'");
    expect(outcome).toMatchObject({
      changed: true,
      details: { stdout: "hello a b it's\ndrwx------\n-rwx------", exitcode: '0' },
    });
    const path = outcome.details?.stderr ?? '';
    expect(path).toMatch(new RegExp(`^/tmp/zester-script-${JID}-\\d+/script$`));
    expect(await linux.files.lstat(path.replace('/script', ''))).toBeUndefined();
  });

  it('leaves nothing after a failure either, and tells it', async () => {
    const { outcome } = await apply(cmdScript, 'x', { source: 'zester://app/hello.sh', args: '1 2; exit 7' });
    expect(outcome).toMatchObject({ error: 'exited with 7', details: { exitcode: '7' } });
    expect(outcome.details?.stdout).toContain('hello 1 2\n');
    expect(await linux.files.lstat((outcome.details?.stderr ?? '').replace('/script', ''))).toBeUndefined();
  });

  it('renders templates, and needs no first line that says by what it runs', async () => {
    const { outcome } = await apply(cmdScript, 'salt://app/greet.sh', {
      template: 'jinja',
      context: { greeting: 'hi' },
      env: { GREETED: 'all' },
    });
    expect(outcome.details?.stdout).toBe('hi all');
  });

  it.runIf(root)('runs as another user, who can read it', async () => {
    const { outcome } = await apply(cmdScript, 'salt://app/hello.sh', { runas: 'nobody' });
    expect(outcome.error).toBeUndefined();
    expect(outcome.details?.stdout).toContain('drwx------\n-rwx------');
  });

  it('does not run when what it creates is there', async () => {
    expect((await bench().plan(cmdScript, 'salt://app/hello.sh', { creates: directory })).steps).toEqual([]);
  });

  it('passes over names that are taken, and uses nothing that it did not make', async () => {
    const seen: string[] = [];
    const programs = () => (process: FakeProcess) => {
      seen.push(process.argv.at(-1) ?? '');
      return 0;
    };
    const clock = virtualClock();
    const system = memorySystem({ clock, random: seededRandom(1), programs });
    const path = (at: number) => `/tmp/zester-script-${JID}-${at}`;
    await system.files.makeDirectory(path(0));
    await system.files.symlink({ path: path(1), target: '/root' });
    await system.files.writeAtomic(path(2), Buffer.from('a file'));
    const plan = await bench(system).plan(cmdScript, 'salt://app/hello.sh');
    await act(plan, system, { clock });
    expect(seen).toEqual([`${path(3)}/script`]);
    expect(await system.files.list('/tmp')).toEqual([0, 1, 2].map((at) => path(at).replace('/tmp/', '')));
    expect(await system.files.list('/root')).toEqual([]);
  });

  it('of a job that was killed is taken away, and no other', async () => {
    const { files } = memorySystem({ clock: virtualClock(), random: seededRandom(1) });
    const other = JID.replace(/.$/, 'x');
    for (const name of [`zester-script-${JID}-0`, `zester-script-${JID}-1`, `zester-script-${other}-0`]) {
      await files.makeDirectory(`/tmp/${name}`);
      await files.writeAtomic(`/tmp/${name}/script`, Buffer.from('with a secret'));
    }
    await files.makeDirectory('/tmp/elsewhere');
    await files.symlink({ path: `/tmp/zester-script-${JID}-2`, target: '/tmp/elsewhere' });
    await removeLeftScripts(files, JID);
    expect(await files.list('/tmp')).toEqual(['elsewhere', `zester-script-${other}-0`]);
  });

  it.each<[string, WireMap, string]>([
    ['salt://app/none.sh', {}, 'there is no salt://app/none.sh'],
    ['hello.sh', {}, 'cannot use the source hello.sh'],
    ['salt://app/hello.sh', { args: { a: 1 } }, 'args must be a list of texts, or a text'],
    ['salt://app/hello.sh', { cwd: '/none/such' }, 'no working directory'],
  ])('fails in the plan: %s %j', async (id, args, message) => {
    await expect(bench().plan(cmdScript, id, args)).rejects.toThrow(message);
  });
});
