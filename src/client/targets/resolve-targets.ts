/**
 * Which peels a target means: a master answers from its index. When no master does, the facts are read from the store
 * and matched here, with one line of warning, so that a fleet without masters can still be looked at.
 */

import { isTransient } from '../../bus/outcome.ts';
import { patiently } from '../../bus/patience.ts';
import type { Bus } from '../../bus/port.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { FactIndex } from '../../core/target/fact-index.ts';
import { parseTarget } from '../../core/target/parse-target.ts';
import { resolveTarget } from '../../core/target/resolve-target.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { TARGET_RESOLVE_SUBJECT } from '../../wire/names/subjects.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../../wire/records/target-resolve.ts';

const ANSWER_MS = 5_000;
/** A client that lost its node is connected to another within about two seconds. */
const MASTERS_AWAY_MS = 3_000;

export async function resolveTargets(
  bus: Bus,
  runtime: Runtime,
  target: string,
  warn: (line: string) => void,
): Promise<readonly PeelId[]> {
  const peels = await askMasters(bus, runtime, target).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
    warn('no master answers; matching the target against the stored facts');
    return matchStoredFacts(bus, target, warn);
  });
  if (peels.length === 0) throw zesterError('CLI_NO_MATCH', { target });
  return peels;
}

/**
 * The master that was asked may have died over the question: then another one is asked. And where none is there, all of
 * them may have hung on a NATS node that was lost: then they are back in a moment.
 */
function askMasters(bus: Bus, runtime: Runtime, target: string): Promise<readonly PeelId[]> {
  const askTwice = () =>
    askMaster(bus, target).catch((error: unknown) => {
      if (!isZesterError(error, 'BUS_TIMEOUT')) throw error;
      return askMaster(bus, target);
    });
  return patiently(runtime, { ms: MASTERS_AWAY_MS }, TARGET_RESOLVE_SUBJECT, askTwice);
}

async function askMaster(bus: Bus, target: string): Promise<readonly PeelId[]> {
  const request = resolveRequestCodec.encode({ expr: target, type: '', wantFacts: false });
  const { data } = await bus.request(TARGET_RESOLVE_SUBJECT, request, { timeoutMs: ANSWER_MS });
  const { peels, error } = resolveResponseCodec.decode(data);
  if (error !== '') {
    // The master has the last word. What we refuse as well, we can explain better: with a hint, and without its name twice.
    parseTarget(target);
    throw zesterError('CLI_TARGET_REFUSED', { target, reason: error });
  }
  return peels;
}

async function matchStoredFacts(
  bus: Bus,
  target: string,
  warn: (line: string) => void,
): Promise<readonly PeelId[]> {
  const index = new FactIndex();
  for (const entry of await bus.bucket(BUCKETS.facts.name).entries()) {
    const peel = parsePeelId(entry.key);
    try {
      if (peel !== undefined) index.put(peel, factsCodec.decode(entry.value));
    } catch {
      warn(`the facts of ${entry.key} cannot be read; it is left out`);
    }
  }
  return resolveTarget(index, target);
}
