import type { Bus } from '../../bus/port.ts';
import { formatDuration } from '../../core/duration.ts';
import { BUCKETS } from '../../wire/buckets.ts';
import type { Job } from '../../wire/job.ts';
import { msFromNanos } from '../../wire/time.ts';
import { CONNECT_OPTIONS, lookWithBus } from '../admin-bus.ts';
import type { Command } from '../command.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import { readAcks } from '../jobs/job-acks.ts';
import { jobRecord, namedJob, readRows, rowRecord } from '../jobs/job-records.ts';
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
    lookWithBus(context, given, 'what is known of the job', async (bus) => {
      const job = await namedJob(bus, given.words());
      const rows = await readRows(bus, job.jid);
      const format = given.text('format') ?? 'text';
      if (format !== 'text') {
        const record = { ...jobRecord(job), returns: rows.map(rowRecord) };
        context.out(await formatData(record, format as 'json' | 'yaml'));
        return 0;
      }
      const signs = await readSigns(bus, job, context.runtime.clock.nowMs());
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
  const [acks, beats] = await Promise.all([
    readAcks(bus, job.jid),
    bus.bucket(BUCKETS.peelHeartbeat.name).entries(),
  ]);
  return { acks, heartbeatMs: new Map(beats.map((beat) => [beat.key, beat.writtenMs])), nowMs };
}
