import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memoryMachine } from '../../system/memory/memory-machine.ts';
import { SimOperator } from './sim-operator.ts';
import { settingsTree, statesTree } from './site-trees.ts';
import { SourceBook } from './source-book.ts';
import { SourceDisk } from './source-disk.ts';

const HOUR_MS = 3_600_000;

function setUp(seed: number) {
  const clock = virtualClock();
  const nowMs = () => clock.monotonicMs();
  const machine = (name: string) => memoryMachine({ clock, random: seededRandom(name.length) });
  const disks = ['master-1', 'master-2', 'master-3'].map((name) => new SourceDisk(name, machine(name)));
  const notes: string[] = [];
  const operator = new SimOperator({
    clock,
    random: seededRandom(seed),
    disks,
    sources: {
      states: new SourceBook(statesTree, nowMs),
      settings: new SourceBook((model) => settingsTree(model, 'published'), nowMs),
    },
    newest: () => undefined,
    publisher: () => 'master-2',
    askToPublish: (force) => notes.push(force ? 'forces' : 'asks'),
    askToSeal: () => undefined,
    lookAtFiles: () => undefined,
    note: (what) => notes.push(what.split(';')[0] ?? ''),
  });
  return { clock, disks, notes, operator };
}

describe('the operator', () => {
  it('begins with the same trees everywhere', () => {
    const { disks, operator } = setUp(1);
    for (const disk of disks) {
      expect(disk.tree('states')).toEqual(statesTree(operator.wanted.states));
      expect(disk.tree('settings')).toEqual(settingsTree(operator.wanted.settings, 'source'));
    }
  });

  it('does everything in a few hours, and forces what does not get through', async () => {
    const { clock, notes, operator } = setUp(1);
    operator.workUntil(3 * HOUR_MS, 20_000);
    await clock.advance(3 * HOUR_MS);
    expect([...new Set(notes)].sort()).toEqual([
      'asks',
      'asks to publish',
      'breaks settings',
      'brings settings to every master',
      'brings states and settings to every master',
      'brings states to every master',
      'edits settings',
      'edits states',
      'forces',
      'looks at files and secrets',
      'loses a directory',
      'puts a secret into a state file',
      'rotates a secret',
      'saves half a file',
      'seals secrets anew',
    ]);
  });

  it('ends with the same trees everywhere, without a mistake, whatever came before', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const { clock, disks, operator } = setUp(seed);
      operator.workUntil(HOUR_MS / 6, 10_000);
      await clock.advance(HOUR_MS / 6);
      operator.finish();
      const { states, settings } = operator.wanted;
      expect([states.isHalf, states.leaks, settings.broken]).toEqual([false, false, undefined]);
      for (const disk of disks) {
        expect(disk.tree('states')).toEqual(statesTree(states));
        expect(disk.tree('settings')).toEqual(settingsTree(settings, 'source'));
      }
      await clock.advance(HOUR_MS / 6);
      for (const disk of disks) expect(disk.tree('states')).toEqual(statesTree(states));
    }
  });
});

describe('a source disk', () => {
  it('brings back what was there, or what was put there meanwhile', () => {
    const { disks, operator } = setUp(1);
    const [disk] = disks as [SourceDisk];
    const tree = statesTree(operator.wanted.states);
    disk.goAway('states');
    expect(disk.tree('states').size).toBe(0);
    disk.comeBack('states');
    expect(disk.tree('states')).toEqual(tree);
    disk.goAway('states');
    const newer = new Map([['only', 'this']]);
    disk.put('states', newer);
    expect(disk.tree('states').size).toBe(0);
    disk.comeBack('states');
    expect(disk.tree('states')).toEqual(newer);
  });
});
