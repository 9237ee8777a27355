/**
 * The one job that a command is about. Its id may be cut, as far as it is still the only one that begins so: what people
 * read off a list and type. A whole id costs one read; a part of one costs the list of ids, which is one question for up to
 * 100,000 of them, answered from the memory of the store's leader.
 */
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { timeText } from '../../core/time-text.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type Jid, parseJid } from '../../wire/names/ids.ts';
import { ALL_JOBS_PATTERN } from '../../wire/names/keys.ts';
import type { Job } from '../../wire/records/job.ts';
import { inOrder } from './job-order.ts';
import { readJob } from './read-jobs.ts';

const JID_PART = /^[0-9A-Za-z-]{1,36}$/;
/** Told of those that begin alike. */
const CANDIDATES_MAX = 5;

export async function namedJob(bus: Bus, words: readonly string[]): Promise<Job> {
  const [text = ''] = words;
  const whole = parseJid(text);
  const candidates = whole === undefined ? await jidsLike(bus, text) : [whole];
  if (candidates.length > 1) throw await ambiguous(bus, text, candidates);
  const [jid] = candidates;
  const job = jid === undefined ? undefined : await readJob(bus, jid);
  if (job === undefined) throw zesterError('CLI_JOB_UNKNOWN', { jid: text });
  return job;
}

async function jidsLike(bus: Bus, part: string): Promise<Jid[]> {
  if (!JID_PART.test(part)) return [];
  const keys = await bus.bucket(BUCKETS.jobs.name).traces(ALL_JOBS_PATTERN);
  return keys.flatMap((key) => (key.startsWith(part) ? (parseJid(key) ?? []) : []));
}

/** The newest are told: they are mostly meant. Ids sort by time. */
async function ambiguous(bus: Bus, part: string, jids: readonly Jid[]): Promise<Error> {
  const read = await Promise.all(jids.slice(-CANDIDATES_MAX).map((jid) => readJob(bus, jid)));
  const jobs = inOrder(read.flatMap((job) => job ?? []));
  const lines = jobs.map(({ jid, function: name, created }) => `\n  ${jid}  ${timeText(created)}  ${name}`);
  const more = jids.length > CANDIDATES_MAX ? `\n  and ${jids.length - CANDIDATES_MAX} older ones` : '';
  return zesterError('CLI_JOB_AMBIGUOUS', {
    part,
    count: jids.length,
    candidates: `${lines.join('')}${more}`,
  });
}
