/**
 * `peelsWithoutFiles` names the peels of a local fleet that do not have the published states and settings yet, so that the
 * first `state.apply` finds them. Where nothing is published, the publisher is asked whether it is still to come: a tree that
 * cannot be published is nothing to wait for. A peel that says what is wrong is not waited for either.
 */
import { readFileSetHead } from '../bus/file-set/read-file-set.ts';
import { openTable } from '../bus/kv/table.ts';
import type { Bus } from '../bus/port.ts';
import { ask, QUESTIONS } from '../client/ask.ts';
import { FILE_SETS, type FileSetSpec } from '../wire/records/file-set.ts';
import type { PeelHeartbeat } from '../wire/records/heartbeat.ts';
import { TABLES } from '../wire/records/tables.ts';

const ANSWER_MS = 2_000;
/** As publishers spell it: nobody has looked yet, or a publish is under way. */
const STILL_TO_COME = 'waiting';

export async function peelsWithoutFiles(bus: Bus, names: readonly string[]): Promise<readonly string[]> {
  const entries = await openTable(bus, TABLES.peelHeartbeats).entries();
  const beats = new Map<string, PeelHeartbeat>(
    entries.flatMap((entry) => (entry.is === 'found' ? [[entry.id, entry.value]] : [])),
  );
  const without = (isWithout: (beat: PeelHeartbeat) => boolean) =>
    names.filter((name) => {
      const beat = beats.get(name);
      return beat === undefined || (beat.filesProblem === '' && isWithout(beat));
    });
  const states = await revisionOf(bus, FILE_SETS.states);
  const settings = await revisionOf(bus, FILE_SETS.settings);
  if (states === 'to come' || settings === 'to come') return names;
  return without((beat) => beat.statesRevision !== states || beat.settingsRevision !== settings);
}

/** 0 when nothing is published, and nothing will be. */
async function revisionOf(bus: Bus, spec: FileSetSpec): Promise<number | 'to come'> {
  const head = await readFileSetHead(bus, spec);
  if (head.is === 'whole') return head.revision;
  if (head.is === 'torn') return 'to come';
  const { sets } = await ask(bus, QUESTIONS.filesStatus, { force: false }, ANSWER_MS);
  return sets.find(({ set }) => set === spec.name)?.state === STILL_TO_COME ? 'to come' : 0;
}
