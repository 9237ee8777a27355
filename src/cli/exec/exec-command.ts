/** The command `zester '<target>' module.function …` resolves the target, dispatches a job, and follows it. */
import type { ClientContext } from '../../client/client-context.ts';
import { JobFollower } from '../../client/jobs/job-follower.ts';
import { DEFAULT_TIMEOUT_MS, defaultTimeoutMs, newJob } from '../../client/jobs/new-job.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';
import { offlinePeels } from '../../client/peels/list-peels.ts';
import { resolveTargets } from '../../client/targets/resolve-targets.ts';
import { formatDuration } from '../../core/duration.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { COLOR_OPTION, DATA_FORMAT_OPTION, durationOf, formatOf } from '../program/common-options.ts';
import { STATE_OUTPUT_OPTION, showOptionsOf } from '../returns/show-options.ts';
import { displayNames } from '../terminal/peel-names.ts';
import type { WaitFor } from '../terminal/wait-for.ts';
import { delayText, resolveText } from './delay-text.ts';
import { type ExecWords, parseExecWords } from './exec-words.ts';
import { JobDisplay } from './job-display.ts';
import { type ExecRun, runDirect } from './run-direct.ts';

const { question, states, highstate } = DEFAULT_TIMEOUT_MS;
const DEFAULT_TIMEOUTS = `${formatDuration(question)}, ${formatDuration(states)} for states, ${formatDuration(highstate)} for all the states of a machine (highstate)`;
/** Of a large fleet the first few are named. */
const NAMED_MAX = 20;

export const execCommand: Command = {
  words: [],
  takesWords: "'<target>' module.function [argument] [key=value …]",
  summary: 'run a function on the peels that a target means',
  examples: [
    "zester '*' test.ping",
    "zester 'web*' cmd.run uptime",
    "zester 'G@os.family:debian and not db-*' cmd.run 'df -h' timeout=10s --format json",
    "zester 'web*' state.apply nginx --test --state-output changes",
  ],
  detail: [
    'Targets: a glob (web*), E@regular-expression, G@fact:value, L@a,b; and, or, not, parentheses. Quote them.',
    'Words behind `--` belong to the function, also when they look like options: cmd.run -- ls --all.',
    'Ctrl-C leaves the job running and tells how to come back to it.',
  ].join('\n'),
  options: [
    { name: 'timeout', value: 'DURATION', doc: `how long targets have; default ${DEFAULT_TIMEOUTS}` },
    { name: 'test', doc: 'change nothing; say what would be done' },
    { name: 'online-only', doc: 'leave out targets without a heartbeat' },
    {
      name: 'no-wait-offline',
      doc: 'do not wait for targets without a heartbeat; the job goes on for them until its deadline',
    },
    { name: 'direct', doc: 'ask the peels without a master: no record, no user' },
    STATE_OUTPUT_OPTION,
    DATA_FORMAT_OPTION,
    COLOR_OPTION,
    ...CONNECT_OPTIONS,
  ],
  async run(context, given) {
    const words = parseExecWords(given.words());
    if (given.on('direct') && given.on('no-wait-offline'))
      throw zesterError('CLI_OPTION_VALUE', {
        option: '--no-wait-offline',
        problem: 'has no use with --direct: a peel that is not connected is known at once there',
      });
    const timeoutMs = durationOf(given, 'timeout', defaultTimeoutMs(words));
    return withClient(context, given, async (client, waitFor) => {
      const { targets, offline } = await chooseTargets(context, given, words, client, waitFor);
      const show = showOptionsOf(context, given);
      const args = { ...words.args, ...(given.on('test') ? { test: true } : {}) };
      const run = { words, call: { ...words, args, timeoutMs }, targets, show };
      return given.on('direct')
        ? runDirect(context, client, run)
        : runJob(context, client, waitFor, { ...run, notAwaited: offline });
    });
  },
};

interface ChosenTargets {
  readonly targets: readonly PeelId[];
  /** Those of them that are not to be waited for. */
  readonly offline: ReadonlySet<PeelId>;
}

async function chooseTargets(
  context: CliContext,
  given: GivenOptions,
  { target }: ExecWords,
  client: ClientContext,
  waitFor: WaitFor,
): Promise<ChosenTargets> {
  const warn = warnOf(context);
  const resolved = await waitFor(
    {
      what: `a master to say which peels ${target} means`,
      ifLeft: 'nothing was sent',
      next: 'run the command again',
    },
    resolveTargets(client, target, (event) => warn(resolveText(event))),
  );
  const unknown = unknownInList(target, resolved);
  if (unknown.length > 0) warn(`no peel is called ${unknown.join(', ')}`);
  const isOnlineOnly = given.on('online-only');
  const looking = { what: 'the heartbeats', ifLeft: 'nothing was sent', next: 'run the command again' };
  const offline =
    isOnlineOnly || given.on('no-wait-offline')
      ? await waitFor(looking, offlinePeels(client, resolved))
      : new Set<PeelId>();
  const targets = isOnlineOnly ? resolved.filter((peel) => !offline.has(peel)) : resolved;
  if (targets.length === 0) throw zesterError('CLI_NONE_ONLINE', { target, count: resolved.length });
  if (offline.size > 0)
    warn(
      `${isOnlineOnly ? 'offline and left out' : 'offline and not waited for'}: ${displayNames([...offline])}`,
    );
  if (formatOf(given) === 'text') context.say(`${targetingText(targets)}\n`);
  return { targets, offline };
}

/** `Targeting 3 peel(s): [db-01 web-01 web-02]`. */
export function targetingText(targets: readonly PeelId[]): string {
  const more = targets.length > NAMED_MAX ? ` and ${targets.length - NAMED_MAX} more` : '';
  return `Targeting ${targets.length} peel(s): [${targets.slice(0, NAMED_MAX).join(' ')}${more}]`;
}

/** Of a plain list: names that no peel has. Whoever writes a list means everyone on it. */
export function unknownInList(target: string, targets: readonly PeelId[]): readonly string[] {
  const list = /^\s*L@(\S+)\s*$/.exec(target)?.[1];
  if (list === undefined) return [];
  const found = new Set<string>(targets);
  const names = list.split(',').filter((name) => name !== '');
  return names.filter((name) => !found.has(name.replaceAll('.', '_')));
}

async function runJob(
  context: CliContext,
  client: ClientContext,
  waitFor: WaitFor,
  { words, call, targets, notAwaited, show }: ExecRun & { readonly notAwaited: ReadonlySet<PeelId> },
): Promise<number> {
  const warn = warnOf(context);
  const job = newJob(client, { ...call, targets, targetExpr: words.target });
  const { jid } = job;
  const display = new JobDisplay(context, show, { isTest: asksDryRun(call.args), leftMs: call.timeoutMs });
  const follower = new JobFollower(client, { jid, targets, notAwaited }, (event) => display.note(event));
  const dispatching = {
    what: `a master to take job ${jid}`,
    ifLeft: 'whether it was dispatched is not known',
    next: `if a master has taken it, ${show.attachCommand(jid)}`,
  };
  try {
    await waitFor({ ...dispatching, ifLeft: 'nothing was sent' }, follower.start());
    await waitFor(
      dispatching,
      submitJob(client, job, (delay) => warn(delayText(delay))),
    );
    if (show.format === 'text') context.say(`Job ${jid} dispatched\n`);
    return await display.show(jid, follower);
  } finally {
    follower.stop();
  }
}

const warnOf = (context: CliContext) => (line: string) => context.say(`zester: ${line}\n`);
