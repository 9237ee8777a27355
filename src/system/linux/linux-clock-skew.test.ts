import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../memory/memory-machine.ts';
import type { FakeProgram } from '../memory/memory-process-calls.ts';
import { linuxClockSkew, readChronyTracking, readTimedatectl } from './linux-clock-skew.ts';

// Written after the format of `chronyc -c tracking`, chrony 4.
const TRACKING =
  'C0A80001,ntp.example,3,1700000000.1,0.000250000,0.0001,0.0002,1.5,0.01,0.02,0.003,0.0004,64.5,Normal\n';
const ADRIFT = '00000000,,0,0.0,0.000000000,0.0,0.0,1.5,0.0,0.0,1.0,1.0,0.0,Not synchronised\n';

function skewWith(programs: Record<string, FakeProgram>) {
  const clock = virtualClock();
  const system = memorySystem({ clock, random: seededRandom(1), programs: ([name = '']) => programs[name] });
  return { clock, files: system.files, query: linuxClockSkew({ ...system, clock }) };
}

const says =
  (text: string, exitCode = 0): FakeProgram =>
  (process) => {
    process.print(text);
    return exitCode;
  };

describe('linuxClockSkew', () => {
  it('believes a fresh stamp of timesyncd and no stale one', async () => {
    const { clock, files, query } = skewWith({});
    await files.makeDirectory('/run/systemd/timesync', { parents: true });
    await files.writeAtomic('/run/systemd/timesync/synchronized', new Uint8Array());
    expect(await query()).toMatchObject({ state: 'synchronized', source: 'systemd-timesyncd' });
    await clock.advance(24 * 3_600_000);
    expect(await query()).toMatchObject({ state: 'unknown', source: 'none' });
  });

  it('asks chrony, then timedatectl, and passes over what fails', async () => {
    const timedatectl = says('NTPSynchronized=no\n');
    expect(await skewWith({ chronyc: says(TRACKING), timedatectl }).query()).toMatchObject({
      source: 'chrony',
    });
    const dead = says('506 Cannot talk to daemon\n', 1);
    expect(await skewWith({ chronyc: dead, timedatectl }).query()).toMatchObject({
      state: 'unsynchronized',
      source: 'timedatectl',
    });
    expect(await skewWith({ chronyc: dead, timedatectl: dead }).query()).toMatchObject({ state: 'unknown' });
  });

  it('answers in bounded time when nobody does', async () => {
    const hang: FakeProgram = async (process) => {
      process.ignoreTerm();
      await process.sleep(3_600_000);
      return 0;
    };
    const { clock, query } = skewWith({ chronyc: hang, timedatectl: hang });
    const reading = query();
    await clock.advance(15_000);
    expect(await reading).toMatchObject({ state: 'unknown' });
  });
});

describe('readings', () => {
  it('of chrony give state and offset', () => {
    expect(readChronyTracking(TRACKING)).toMatchObject({ state: 'synchronized', offsetMs: -0.25 });
    expect(readChronyTracking(ADRIFT)?.state).toBe('unsynchronized');
    expect(readChronyTracking('nonsense')).toBeUndefined();
    expect(readChronyTracking('')).toBeUndefined();
  });

  it('of timedatectl give the flag of the kernel', () => {
    expect(readTimedatectl('NTPSynchronized=yes\n')?.state).toBe('synchronized');
    expect(readTimedatectl('NTPSynchronized=no\n')?.state).toBe('unsynchronized');
    expect(readTimedatectl('Timezone=UTC\n')).toBeUndefined();
  });
});
