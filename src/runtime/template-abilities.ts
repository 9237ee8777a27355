/** `templateAbilities` is what templates get of the runtime: digests, chance and time. */
import type { RuntimeAbilities } from '../core/templates/template-host.ts';
import { digest, hmac } from './digest.ts';
import type { Runtime } from './runtime.ts';

export function templateAbilities({ clock, random }: Pick<Runtime, 'clock' | 'random'>): RuntimeAbilities {
  return { digest, hmac, random: () => random.fraction(), nowMs: () => clock.nowMs() };
}
