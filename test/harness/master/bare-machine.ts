/** `bareMachine` is the machine of a master that publishes nothing: it has no source directory. */
import type { MasterPorts } from '../../../src/master/master-ports.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';

export function bareMachine(clock: Clock): Pick<MasterPorts, 'system' | 'sources'> {
  const system = memorySystem({ clock, random: seededRandom(1) });
  return { system, sources: { dataDir: '/var/lib/zester/master' } };
}
