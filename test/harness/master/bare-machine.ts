/** `bareMachine` is the machine of a master that publishes nothing: it has no source directory, and an issuer of its own. */
import type { MasterPorts } from '../../../src/master/master-ports.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import { newSigningKey } from '../../../src/trust/nkeys.ts';

export const TEST_CA_PIN = `sha256:${'ca'.repeat(32)}`;

export function bareMachine(clock: Clock): Pick<MasterPorts, 'system' | 'sources' | 'issuer'> {
  const system = memorySystem({ clock, random: seededRandom(1) });
  const signingKey = newSigningKey('account', seededRandom(2));
  const issuer = { agentsAccount: signingKey.publicKey, signingKey, caPin: TEST_CA_PIN };
  return { issuer, system, sources: { dataDir: '/var/lib/zester/master' } };
}
