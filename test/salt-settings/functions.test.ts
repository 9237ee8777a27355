/**
 * Calls of `pillar.*` that were recorded from Salt's module (scripts/record-salt.sh), as a template makes them and as a job
 * does: the same answers, or an error on both sides. What differs on purpose is listed here, and nothing else is.
 */

import { describe, expect, it } from 'vitest';
import { type DataValue, wireOfData } from '../../src/core/data/data-value.ts';
import { PythonError } from '../../src/core/jinja/values/value.ts';
import { saltLookups } from '../../src/core/states/template/salt-lookups.ts';
import { NO_WORDS } from '../../src/core/target/operator-words.ts';
import type { WireMap, WireValue } from '../../src/wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../src/wire/names/ids.ts';
import { memoryContext } from '../harness/states/memory-context.ts';
import { dataOfRecorded, mapOfRecorded, recordedCases, recordedText } from './recorded-data.ts';

interface RecordedCall {
  readonly pillar: unknown;
  readonly function: 'get' | 'item' | 'keys' | 'raw';
  readonly positional: readonly string[];
  readonly named: unknown;
  readonly answer?: unknown;
  readonly error?: string;
}

const REFUSED = 'refused';

/** Of both. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'get web.port {}': 'dots lead into maps too',
  'get a:b {}': 'text that is a key as it stands is that key; Salt looks only for a path',
};

/** Of jobs, besides. */
const JOB_DIFFERENCES: Readonly<Record<string, string>> = {
  'get  {}': 'a name that is missing is a mistake',
  'keys ports {}': 'names are text, one on a line',
};

const nameOf = ({ function: name, positional, named }: RecordedCall) =>
  `${name} ${positional.join(',')} ${JSON.stringify(named)}`;

function salts({ answer, error }: RecordedCall): DataValue {
  return error === undefined ? dataOfRecorded(answer) : REFUSED;
}

function asTemplate({ pillar, function: name, positional, named }: RecordedCall): DataValue {
  const peelId = parsePeelId('web-01') ?? expect.fail();
  const call = saltLookups({
    peelId,
    facts: {},
    words: NO_WORDS,
    grains: {},
    settings: mapOfRecorded(pillar),
  }).get(`pillar.${name}`);
  try {
    return (call?.(positional, named as Readonly<Record<string, unknown>>) ?? null) as DataValue;
  } catch (error) {
    if (error instanceof PythonError) return REFUSED;
    throw error;
  }
}

const PRIMARY = { get: 'key', item: 'keys', keys: 'key', raw: 'key' };

async function asJob({ pillar, function: name, positional, named }: RecordedCall): Promise<WireValue> {
  const given = name === 'item' ? positional : positional[0];
  const args: WireMap = { ...(given === undefined ? {} : { [PRIMARY[name]]: given }), ...(named as WireMap) };
  const { success, results } = await memoryContext({}, {}, mapOfRecorded(pillar)).run(
    `pillar.${name}`,
    '',
    args,
  );
  const [result] = results;
  // Text alone stands only there.
  if (!success || result === undefined) return REFUSED;
  return Object.hasOwn(result.data, 'result') ? (result.data.result ?? null) : (result.details.result ?? '');
}

describe('pillar.* as Salt answers it', () => {
  const cases = recordedCases<RecordedCall>('functions').map(
    (recorded) => [nameOf(recorded), recorded] as const,
  );

  it.each(cases)('%s in a template', (name, recorded) => {
    const same = recordedText(asTemplate(recorded)) === recordedText(salts(recorded));
    expect(same).toBe(!(name in DIFFERENCES));
  });

  it.each(cases)('%s as a job', async (name, recorded) => {
    const same = recordedText(await asJob(recorded)) === recordedText(wireOfData(salts(recorded)));
    expect(same).toBe(!(name in DIFFERENCES || name in JOB_DIFFERENCES));
  });
});
