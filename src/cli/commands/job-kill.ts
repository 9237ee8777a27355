import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { sleep } from '../../runtime/clock.ts';
import { signCancelAsOperator } from '../../trust/signed-proof.ts';
import { PROOF_HEADER } from '../../wire/headers.ts';
import { CANCEL_ACTION, cancelCodec } from '../../wire/job-event.ts';
import { formatProof } from '../../wire/proof-header.ts';
import { jobCancelSubject } from '../../wire/subjects.ts';
import { CONNECT_OPTIONS, placeWords, withAdminBus } from '../admin-bus.ts';
import type { Command } from '../command.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import { jobRecord, namedJob, readJob } from '../jobs/job-records.ts';
import { formatData } from '../output.ts';

const WAIT_MS = 10_000;
const LOOK_MS = 200;
/** Nobody says that it has ended. */
const EXIT_SILENT = 3;

export const jobKillCommand: Command = {
  words: ['job', 'kill'],
  takesWords: '<jid>',
  summary: 'cancel a job, on its owner and on its targets',
  examples: ['zester job kill 2hPx1FNsSgJMqVn5bLSTXeBQMpO'],
  detail:
    'The cancel is stored: a job whose owner is dead ends as canceled when another master takes it over.',
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withAdminBus(context, given, async ({ bus, operatorKey }) => {
      const job = await namedJob(bus, given.words());
      const { clock, random } = context.runtime;
      const format = given.text('format') ?? 'text';
      if (!isTerminal(job.status)) {
        const headers = new Map([[PROOF_HEADER, formatProof(signCancelAsOperator(operatorKey(), job.jid))]]);
        const messageId = `cancel.${job.jid}.${Buffer.from(random.bytes(16)).toString('hex')}`;
        await bus.append(jobCancelSubject(job.jid), cancelCodec.encode({ action: CANCEL_ACTION }), {
          headers,
          messageId,
        });
        if (format === 'text') context.say(`Cancel signal sent for job ${job.jid}\n`);
      }
      const untilMs = clock.monotonicMs() + WAIT_MS;
      let now = job;
      while (!isTerminal(now.status) && clock.monotonicMs() < untilMs) {
        await sleep(clock, LOOK_MS);
        now = (await readJob(bus, job.jid)) ?? now;
      }
      if (format !== 'text') context.out(await formatData(jobRecord(now), format as 'json' | 'yaml'));
      else context.out(`Job ${job.jid} is ${now.status}\n`);
      if (isTerminal(now.status)) return 0;
      const place = placeWords(given);
      context.say(
        'Its master has not ended it yet. The cancel is stored: the master that has the job, or takes it over, ends it.\n' +
          `Wait for that with: ${context.program} job attach ${job.jid}${place}\n` +
          `See whether a master is alive with: ${context.program} master list${place}\n`,
      );
      return EXIT_SILENT;
    }),
};
