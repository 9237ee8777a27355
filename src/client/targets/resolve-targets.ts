/**
 * `resolveTargets` finds which peels a target means: a master answers from its index. When no master does, the facts
 * and enrollments are read from the store and matched here, and the caller is told so, so that a fleet without masters can still be
 * looked at. Facts that operators set are sealed: a target that asks for one is not answered here.
 */

import { isTransient } from '../../bus/failed-call.ts';
import { openTable } from '../../bus/kv/table.ts';
import { withRetries } from '../../bus/retry-budget.ts';
import { never } from '../../core/assert.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { FactIndex } from '../../core/target/fact-index.ts';
import { parseTarget } from '../../core/target/parse-target.ts';
import { resolveTarget } from '../../core/target/resolve-target.ts';
import type { TargetNode } from '../../core/target/target.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { ask, MASTERS_AWAY_MS, QUESTIONS } from '../ask.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { readStoredWords } from '../enroll/read-words.ts';

const ANSWER_MS = 5_000;

export type ResolveEvent =
  /** No master answers: the target is matched against the stored facts. */
  | { readonly kind: 'no-master' }
  /** Facts that cannot be read: their peel is left out. */
  | { readonly kind: 'unreadable'; readonly record: UnreadableRecord };

/** At least one; CLI_NO_MATCH when the target means none. */
export async function resolveTargets(
  client: ClientContext,
  target: string,
  onEvent: (event: ResolveEvent) => void = () => undefined,
): Promise<readonly PeelId[]> {
  const resolving = askMasters(client, target).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
    onEvent({ kind: 'no-master' });
    return matchStoredFacts(client, target, onEvent);
  });
  const peels = await unlessAborted(resolving, client.signal);
  if (peels.length === 0) throw zesterError('CLI_NO_MATCH', { target });
  return peels;
}

/**
 * The master that was asked may have died over the question: then another one is asked. And where none is there, all of
 * them may have hung on a NATS node that was lost: then they are back in a moment.
 */
function askMasters(client: ClientContext, target: string): Promise<readonly PeelId[]> {
  const askTwice = () =>
    askMaster(client, target).catch((error: unknown) => {
      if (!isZesterError(error, 'BUS_TIMEOUT')) throw error;
      return askMaster(client, target);
    });
  return withRetries(client.runtime, { ms: MASTERS_AWAY_MS }, QUESTIONS.resolve.subject, askTwice);
}

async function askMaster({ bus }: ClientContext, target: string): Promise<readonly PeelId[]> {
  const question = { expr: target, type: '', wantFacts: false };
  const { peels, error, code } = await ask(bus, QUESTIONS.resolve, question, ANSWER_MS);
  if (error !== '') {
    // The master has the last word. What we refuse as well, we can explain better: with a hint, and without its name twice.
    parseTarget(target);
    throw zesterError('CLI_TARGET_REFUSED', { target, reason: error }, { reasonCode: code });
  }
  return peels;
}

async function matchStoredFacts(
  client: ClientContext,
  target: string,
  onEvent: (event: ResolveEvent) => void,
): Promise<readonly PeelId[]> {
  const index = new FactIndex();
  const words = await readStoredWords(client);
  mustBeTold(target, new Set([...words.values()].flatMap((each) => each.factNames)));
  for (const [peel, { tags }] of words) index.putWords(peel, { tags, facts: {} });
  for (const entry of await openTable(client.bus, TABLES.facts).entries()) {
    if (entry.is === 'found') index.put(entry.id, entry.value);
    else if (entry.id !== undefined)
      onEvent({ kind: 'unreadable', record: { kind: 'facts', key: entry.key, problem: entry.problem } });
  }
  return resolveTarget(index, target);
}

/** Throws CLI_TARGET_SEALED when the target hangs on one of these facts. */
function mustBeTold(target: string, sealed: ReadonlySet<string>): void {
  const name = askedFacts(parseTarget(target).root).find((each) => sealed.has(each));
  if (name !== undefined) throw zesterError('CLI_TARGET_SEALED', { target, name });
}

/** Names of facts at the top level. */
function askedFacts(node: TargetNode): readonly string[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.parts.flatMap(askedFacts);
    case 'not':
      return askedFacts(node.part);
    case 'fact':
      return [topOf(node.path)];
    case 'tag':
      return [topOf(node.name)];
    case 'glob':
    case 'regex':
    case 'list':
      return [];
    default:
      return never(node);
  }
}

const topOf = (path: string): string => path.split('.', 1)[0] ?? path;
