import type { Bus } from '../../bus/port.ts';
import { namedJob } from '../../client/jobs/find-job.ts';
import { readAcks } from '../../client/jobs/job-acks.ts';
import { readRows } from '../../client/jobs/read-jobs.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { isRealReturn } from '../../core/jobs/job-tally.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Job } from '../../wire/records/job.ts';
import { CONNECT_OPTIONS, lookWithBus, placeWords } from '../connect/admin-bus.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import type { Command } from '../program/command.ts';
import { formatData } from '../terminal/format-data.ts';
import { jobText } from './job-text.ts';
import { showRecord } from './show-record.ts';
import { type Signs, standings } from './target-standing.ts';
import { jobWaitsBehind } from './waits-behind.ts';

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
      const rows = await readRows(bus, job.jid, (line) => context.say(`zester: ${line}\n`));
      const format = given.text('format') ?? 'text';
      const nowMs = context.runtime.clock.nowMs();
      const signs = await readSigns(bus, job, nowMs);
      const behind = isTerminal(job.status)
        ? []
        : jobWaitsBehind({
            targets: job.targets,
            acks: signs.acks,
            hasReturn: rows.some(isRealReturn),
          });
      if (format !== 'text') {
        context.out(await formatData(showRecord(job, rows, signs, behind), format as 'json' | 'yaml'));
        return 0;
      }
      const place = placeWords(given);
      context.out(
        jobText({
          job,
          standings: standings(job, rows, signs),
          behind,
          nowMs,
          command: (verb) => `${context.program} job ${verb} ${job.jid}${place}`,
        }),
      );
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
