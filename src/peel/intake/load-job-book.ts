/** Reads at the start what the last life left in the data directory. What cannot be read throws: see `job-book.ts`. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import { type Jid, parseJid } from '../../wire/names/ids.ts';
import { type DedupRecord, dedupCodec } from '../../wire/records/dedup.ts';
import { dedupPath, jobsDir } from '../data-dir.ts';
import type { BookContext } from './job-book.ts';
import { type JobFile, jobFileCodec, newMessageId } from './job-file.ts';

export async function readDedup({ system, dataDir }: BookContext): Promise<DedupRecord> {
  const path = dedupPath(dataDir);
  const bytes = await system.files.read(path);
  if (bytes === undefined) return {};
  const record = decoded(dedupCodec, bytes);
  if (!record.isReadable) throw zesterError('PEEL_RECORD_DAMAGED', { path, problem: record.problem });
  return record.value;
}

export async function loadJobFiles({ system, dataDir, runtime }: BookContext): Promise<JobFile[]> {
  const { files } = system;
  const directory = jobsDir(dataDir);
  const jobs: JobFile[] = [];
  for (const name of (await files.list(directory)) ?? []) {
    const jid = parseJid(name);
    const bytes = jid === undefined ? undefined : await files.read(`${directory}/${name}`);
    if (jid === undefined || bytes === undefined) continue;
    const job = jobFileOf(jid, bytes);
    if (job === undefined)
      runtime.log.error('the record of a job is damaged; it counts as accepted', { jid });
    jobs.push(job ?? damaged(jid, () => newMessageId(runtime.random)));
  }
  return jobs.sort((a, b) => (a.accepted < b.accepted ? -1 : 1));
}

/** Undefined when it is not the record of that job. */
function jobFileOf(jid: Jid, bytes: Uint8Array): JobFile | undefined {
  const file = decoded(jobFileCodec, bytes);
  return file.isReadable && file.value.jid === jid ? file.value : undefined;
}

function damaged(jid: Jid, newId: () => string): JobFile {
  return { jid, epoch: 0, accepted: 0n, ackId: newId(), returnId: newId(), returned: ENCODED_NIL };
}
