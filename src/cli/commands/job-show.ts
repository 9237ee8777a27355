import type { Bus } from '../../bus/port.ts';
import { formatDuration } from '../../core/duration.ts';
import { BUCKETS } from '../../wire/buckets.ts';
import type { PeelId } from '../../wire/ids.ts';
import type { Job } from '../../wire/job.ts';
import { STREAMS } from '../../wire/streams.ts';
import { ANY, jobAckSubject, parseJobSubject } from '../../wire/subjects.ts';
import { msFromNanos } from '../../wire/time.ts';
import { CONNECT_OPTIONS, withAdminBus } from '../admin-bus.ts';
import type { Command } from '../command.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import { jobRecord, namedJob, readRows } from '../jobs/job-records.ts';
import { showRecord } from '../jobs/show-record.ts';
import { type Signs, standings } from '../jobs/target-standing.ts';
import { formatData } from '../output.ts';
import { table } from '../table.ts';

export const jobShowCommand: Command = {
  words: ['job', 'show'],
  takesWords: '<jid>',
  summary: 'show a job, and for each target how it stands and what proves it',
  examples: [
    'zester job show 2hPx1FNsSgJMqVn5bLSTXeBQMpO',
    'zester job show 2hPx1FNsSgJMqVn5bLSTXeBQMpO --format json',
  ],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withAdminBus(context, given, async ({ bus }) => {
      const job = await namedJob(bus, given.words());
      const rows = await readRows(bus, job.jid, (line) => context.say(`zester: ${line}\n`));
      const format = given.text('format') ?? 'text';
      const signs = await readSigns(bus, job, context.runtime.clock.nowMs());
      if (format !== 'text') {
        context.out(await formatData(showRecord(job, rows, signs), format as 'json' | 'yaml'));
        return 0;
      }
      const lines = standings(job, rows, signs).map(({ peel, standing, proof, row }) => [
        peel,
        standing,
        row === undefined ? '-' : String(row.success && row.error === ''),
        row === undefined ? '-' : formatDuration(msFromNanos(row.duration)),
        proof,
      ]);
      context.out(await formatData(jobRecord(job), 'json'));
      context.out(`\nReturns:\n${table(['PEEL', 'STATUS', 'SUCCESS', 'DURATION', 'PROOF'], lines)}`);
      return 0;
    }),
};

/** Acks from the stream, heartbeats from their bucket. */
async function readSigns(bus: Bus, job: Job, nowMs: number): Promise<Signs> {
  const ackedMs = new Map<PeelId, number>();
  await bus.stream(STREAMS.jobEvents.name).replay({ filter: jobAckSubject(job.jid, ANY) }, (message) => {
    const parsed = parseJobSubject(message.subject);
    if (parsed?.kind === 'ack' && !ackedMs.has(parsed.peel)) ackedMs.set(parsed.peel, message.publishedMs);
  });
  const beats = await bus.bucket(BUCKETS.peelHeartbeat.name).entries();
  return { ackedMs, heartbeatMs: new Map(beats.map((beat) => [beat.key, beat.writtenMs])), nowMs };
}
