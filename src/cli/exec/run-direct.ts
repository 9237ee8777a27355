/**
 * `runDirect` is `--direct`: each peel is asked by itself, without a master. Ctrl-C leaves alone what was asked: nobody
 * can take a direct request back.
 */
import type { ClientContext } from '../../client/client-context.ts';
import { askPeel } from '../../client/direct/ask-peel.ts';
import type { CallRequest } from '../../client/jobs/new-job.ts';
import { formatDuration } from '../../core/duration.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import { timeText } from '../../core/time-text.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';
import type { CliContext } from '../program/command.ts';
import { execResultRecord } from '../returns/exec-result-record.ts';
import { returnsText } from '../returns/returns-text.ts';
import type { ShowOptions } from '../returns/show-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayNames } from '../terminal/peel-names.ts';
import { NO_TICKER, startTicker } from '../terminal/progress-ticker.ts';
import { interruption } from '../terminal/wait-for.ts';
import type { ExecWords } from './exec-words.ts';

/** An execution, once its words are read and its targets are known. */
export interface ExecRun {
  readonly words: ExecWords;
  readonly call: CallRequest;
  readonly targets: readonly PeelId[];
  readonly show: ShowOptions;
}

export async function runDirect(context: CliContext, client: ClientContext, run: ExecRun): Promise<number> {
  const { call, targets, show } = run;
  const { timeoutMs } = call;
  const deadlineMs = context.runtime.clock.nowMs() + timeoutMs;
  const isText = show.format === 'text';
  const returns = new Map<PeelId, Row>();
  const ask = async (peel: PeelId) => returns.set(peel, await askPeel(client, call, peel));
  const progress = (elapsedMs: number) => directProgress({ targets, timeoutMs }, returns, elapsedMs);
  const ticker = isText ? startTicker(context, progress) : NO_TICKER;
  let isInterrupted = false;
  try {
    await Promise.all(targets.map(ask));
  } catch (error) {
    if (!context.interrupted.aborted) throw error;
    isInterrupted = true;
  } finally {
    ticker.stop();
  }
  const answers = targets.flatMap((peel) => returns.get(peel) ?? []);
  const outcomes = new Map<PeelId, Outcome>(answers.map((answer) => [answer.peelId, outcomeOf(answer)]));
  if (isText) context.out(returnsText(answers, show.look));
  if (isInterrupted) throw leftAlone(targets, returns, deadlineMs);
  if (show.format !== 'text') {
    const isTest = asksDryRun(call.args);
    const record = execResultRecord({ jid: undefined, status: 'direct', isTest, targets, returns, outcomes });
    context.out(await formatData(record, show.format));
  }
  return exitCodeOf(outcomes.values());
}

/** `1/3 answered, 4 s; waiting for web-01, web-02`. */
function directProgress(
  { targets, timeoutMs }: { readonly targets: readonly PeelId[]; readonly timeoutMs: number },
  answered: Pick<ReadonlyMap<PeelId, unknown>, 'has' | 'size'>,
  elapsedMs: number,
): string {
  const silent = targets.filter((peel) => !answered.has(peel));
  const time = `${Math.round(elapsedMs / 1_000)} s`;
  const late = elapsedMs > timeoutMs ? `, the time of ${formatDuration(timeoutMs)} is up` : '';
  const names = silent.length === 0 ? '' : `; waiting for ${displayNames(silent)}`;
  return `${answered.size}/${targets.length} answered, ${time}${late}${names}`;
}

export function leftAlone(
  targets: readonly PeelId[],
  returns: Pick<ReadonlyMap<PeelId, unknown>, 'has'>,
  deadlineMs: number,
): Error {
  const silent = targets.filter((peel) => !returns.has(peel));
  return interruption({
    what: `${silent.length} of ${targets.length} peels to answer`,
    ifLeft: `what was asked may run there until ${timeText(nanosFromMs(deadlineMs))}, and its answer is lost: ${displayNames(silent)}`,
    next: 'run it again; without --direct it is a job, which can be left, attached to and killed',
  });
}
