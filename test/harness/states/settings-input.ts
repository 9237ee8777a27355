/** `settingsInput` is what a resolve of settings needs besides its tree: a machine that answers nothing, no secrets. */

import type { SettingsInput } from '../../../src/core/settings/resolve-settings.ts';
import type { StateTree } from '../../../src/core/states/state-tree.ts';
import { NO_WORDS } from '../../../src/core/target/operator-words.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { templateAbilities } from '../../../src/runtime/template-abilities.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../../src/wire/names/ids.ts';

export interface SettingsMachine {
  readonly peelId?: string;
  readonly facts?: WireMap;
  readonly secrets?: Readonly<Record<string, string>>;
}

export function settingsInput(
  tree: StateTree,
  { peelId = 'web-01', facts = {}, secrets = {} }: SettingsMachine = {},
): SettingsInput {
  return {
    tree,
    peelId: parsePeelId(peelId) ?? fail(`${peelId} is no peel id`),
    facts,
    words: NO_WORDS,
    machine: {
      functionNames: [],
      callFunction: async () => '',
      hasProgram: async () => false,
      userInfo: async () => ({}),
    },
    runtime: templateAbilities({ clock: virtualClock(), random: seededRandom(1) }),
    signal: new AbortController().signal,
    secrets: new Map(Object.entries(secrets)),
  };
}

function fail(message: string): never {
  throw new Error(message);
}
