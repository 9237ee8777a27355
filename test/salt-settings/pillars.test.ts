/**
 * The trees that were recorded from Salt's pillar compiler (scripts/record-salt.sh), through ours: the same settings with the
 * same order and types, or an error on both sides. What differs on purpose is listed in differences.ts, and nothing else is.
 */
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../../src/core/errors/zester-error.ts';
import type { MergeRule } from '../../src/core/settings/merge-rule.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import type { WireMap } from '../../src/wire/msgpack/wire-value.ts';
import { memoryTree } from '../harness/states/memory-tree.ts';
import { settingsInput } from '../harness/states/settings-input.ts';
import { PILLAR_DIFFERENCES } from './differences.ts';
import { dataOfRecorded, recordedCases, recordedText } from './recorded-data.ts';

interface RecordedPillar extends MergeRule {
  readonly tree: string;
  readonly id: string;
  readonly grains: WireMap;
  readonly files: Readonly<Record<string, string>>;
  readonly pillar?: unknown;
  readonly errors?: readonly string[];
}

const REFUSED = 'refused';

async function ours({ id, grains, files, strategy, lists }: RecordedPillar): Promise<string> {
  const rule = `strategy: ${strategy}\nlists: ${lists}\n`;
  const input = settingsInput(memoryTree({ ...files, '_merge.zy': rule }), { peelId: id, facts: grains });
  try {
    return recordedText((await resolveSettings(input)).settings);
  } catch (error) {
    if (!isZesterError(error, 'SETTINGS_INVALID')) throw error;
    return REFUSED;
  }
}

function salts({ pillar, errors }: RecordedPillar): string {
  return errors === undefined ? recordedText(dataOfRecorded(pillar)) : REFUSED;
}

describe('settings as Salt compiles a pillar', () => {
  const cases = recordedCases<RecordedPillar>('pillars');

  it.each(
    cases
      .filter(({ tree }) => !(tree in PILLAR_DIFFERENCES))
      .map((recorded) => [recorded.tree, recorded] as const),
  )('%s comes out the same', async (_, recorded) => {
    expect(await ours(recorded)).toBe(salts(recorded));
  });

  it.each(Object.keys(PILLAR_DIFFERENCES))('%s still differs, as the list says', async (tree) => {
    const recorded = cases.find((each) => each.tree === tree) ?? expect.fail(`${tree} is not recorded`);
    expect(await ours(recorded)).not.toBe(salts(recorded));
  });
});
