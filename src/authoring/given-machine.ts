/** `givenMachine` reads a file with the facts of a machine, for commands that work without one. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isDataMap, wireOfDataMap } from '../core/data/data-value.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { lookUpPath } from '../core/states/template/data-path.ts';
import { readYamlValue } from '../core/states/template/yaml-value.ts';
import type { OperatorWords } from '../core/target/operator-words.ts';
import { isWireMap, type WireMap, type WireValue } from '../wire/msgpack/wire-value.ts';
import { type PeelId, parsePeelId } from '../wire/names/ids.ts';

/** A path as a person gave it, and where it leads. */
export interface GivenPath {
  readonly shown: string;
  readonly path: string;
}

export interface GivenMachine {
  readonly peelId: PeelId;
  readonly facts: WireMap;
  /** What operators say of it. */
  readonly words: OperatorWords;
}

/**
 * Facts as `facts.items` has them, or all that `peel show` tells of a peel. The peel is called as it says there, else by
 * `id` or by the name of the machine, else as the file.
 */
export function givenMachine({ shown, path }: GivenPath): GivenMachine {
  const given = factsOf(shown, path);
  const isPeel = typeof given.peel_id === 'string' && isWireMap(given.facts);
  const facts = isPeel ? (given.facts as WireMap) : given;
  const names = [
    ...(isPeel ? [given.peel_id] : []),
    facts.id,
    lookUpPath(facts, 'network.hostname'),
    basename(shown).replace(/\..*$/, ''),
    'peel',
  ];
  const peelId = names
    .map((name) => (typeof name === 'string' ? parsePeelId(name) : undefined))
    .find(Boolean);
  if (peelId === undefined) throw zesterError('LINT_FACTS', { path: shown, problem: 'they name no machine' });
  return { peelId, facts, words: { tags: isPeel ? tagsOf(given.tags) : {}, facts: {} } };
}

function tagsOf(tags: WireValue | undefined): OperatorWords['tags'] {
  if (!isWireMap(tags)) return {};
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]));
}

function factsOf(shown: string, path: string): WireMap {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw zesterError('LINT_FACTS', { path: shown, problem: 'the file cannot be read' }, { cause });
  }
  try {
    const facts = readYamlValue(text, shown);
    if (isDataMap(facts)) return wireOfDataMap(facts);
  } catch (error) {
    if (!isZesterError(error)) throw error;
    throw zesterError(
      'LINT_FACTS',
      { path: shown, problem: error.message },
      { ...(error.at === undefined ? {} : { at: error.at }) },
    );
  }
  throw zesterError('LINT_FACTS', { path: shown, problem: 'they are no mapping of names to values' });
}
