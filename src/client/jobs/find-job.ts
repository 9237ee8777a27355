/**
 * `findJob` finds the job that a part of an id means: the only one that begins so, which is what people read off a list
 * and type. A whole id costs one read; a part of one costs the list of ids, which is one question for up to 100,000 of
 * them, answered from the memory of the store's leader.
 */
import { openTable } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { timeText } from '../../core/time-text.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { type Jid, parseJid } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';
import { inOrder } from './job-order.ts';
import { readJob } from './read-jobs.ts';

const JID_PART = /^[0-9A-Za-z-]{1,36}$/;
/** Told of those that begin alike. */
const CANDIDATES_MAX = 5;

/** Throws CLI_JOB_UNKNOWN for none, CLI_JOB_AMBIGUOUS for several, CLI_JOB_UNREADABLE for one that makes no sense. */
export async function findJob(client: ClientContext, part: string): Promise<Job> {
  const whole = parseJid(part);
  const candidates = whole === undefined ? await jidsLike(client, part) : [whole];
  if (candidates.length > 1) throw await ambiguous(client, part, candidates);
  const [jid] = candidates;
  const job = jid === undefined ? undefined : await readJob(client, jid);
  if (job === undefined) throw zesterError('CLI_JOB_UNKNOWN', { jid: part });
  return job;
}

async function jidsLike({ bus, signal }: ClientContext, part: string): Promise<Jid[]> {
  if (!JID_PART.test(part)) return [];
  const ids = await unlessAborted(openTable(bus, TABLES.jobs).idsWithDeleted(), signal);
  return ids.filter((jid) => jid.startsWith(part));
}

/** The newest are told: they are mostly meant. Ids sort by time. */
async function ambiguous(client: ClientContext, part: string, jids: readonly Jid[]): Promise<Error> {
  const read = await Promise.all(jids.slice(-CANDIDATES_MAX).map((jid) => readJob(client, jid)));
  const jobs = inOrder(read.flatMap((job) => job ?? []));
  const lines = jobs.map(({ jid, function: name, created }) => `\n  ${jid}  ${timeText(created)}  ${name}`);
  const more = jids.length > CANDIDATES_MAX ? `\n  and ${jids.length - CANDIDATES_MAX} older ones` : '';
  return zesterError('CLI_JOB_AMBIGUOUS', {
    part,
    count: jids.length,
    candidates: `${lines.join('')}${more}`,
  });
}
