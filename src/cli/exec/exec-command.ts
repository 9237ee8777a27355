/** `zester '<target>' module.function …`: resolve, dispatch, follow. */

import { dispatchJob } from '../../client/jobs/dispatch-job.ts';
import { JobFollower } from '../../client/jobs/job-follower.ts';
import { offlinePeels } from '../../client/targets/offline-peels.ts';
import { resolveTargets } from '../../client/targets/resolve-targets.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { type PeelId, parseJid } from '../../wire/names/ids.ts';
import { jobCodec, PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { type AdminBus, CONNECT_OPTIONS, placeWords, withAdminBus } from '../connect/admin-bus.ts';
import type { CliContext, Command, GivenOptions, OptionSpec } from '../program/command.ts';
import { durationOf } from '../program/common-options.ts';
import { currentUser } from '../program/current-user.ts';
import { STATE_OUTPUTS, type StateOutput } from '../returns/format-state-run.ts';
import { glyphsFor } from '../returns/glyphs.ts';
import { paintFor } from '../terminal/paint.ts';
import { displayNames } from '../terminal/peel-names.ts';
import { DEFAULT_TIMEOUTS, defaultTimeoutMs } from './default-timeout.ts';
import { type ExecWords, parseExecWords } from './exec-words.ts';
import { END_GRACE_MS, JobDisplay, type ShowOptions } from './job-display.ts';
import { runDirect } from './run-direct.ts';
import { targetingText, unknownInList } from './target-words.ts';

export const DATA_FORMAT_OPTION: OptionSpec = {
  name: 'format',
  value: 'text|json|yaml',
  choices: ['text', 'json', 'yaml'],
  doc: 'how to print results and errors; default text',
};
export const STATE_OUTPUT_OPTION: OptionSpec = {
  name: 'state-output',
  value: STATE_OUTPUTS.join('|'),
  choices: STATE_OUTPUTS,
  doc: 'what to print of states: all, only changes and failures, or one line each; default full',
};
export const COLOR_OPTION: OptionSpec = { name: 'no-color', doc: 'no colours, also on a terminal' };

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
    const timeoutMs = durationOf(given, 'timeout', defaultTimeoutMs(words.functionName, words.id));
    return withAdminBus(context, given, (admin) => execute(context, given, admin, words, timeoutMs));
  },
};

async function execute(
  context: CliContext,
  given: GivenOptions,
  admin: AdminBus,
  words: ExecWords,
  timeoutMs: number,
): Promise<number> {
  const show = showOptionsOf(context, given);
  const say = (line: string) => {
    if (show.format === 'text') context.say(`${line}\n`);
  };
  const warn = (line: string) => context.say(`zester: ${line}\n`);
  const resolved = await admin.waitFor(
    {
      what: `a master to say which peels ${words.target} means`,
      ifLeft: 'nothing was sent',
      next: 'run the command again',
    },
    resolveTargets(admin.bus, context.runtime, words.target, warn),
  );
  const unknown = unknownInList(words.target, resolved);
  if (unknown.length > 0) warn(`no peel is called ${unknown.join(', ')}`);
  const offline = await offlineOf(given, admin, resolved);
  const targets = given.on('online-only') ? resolved.filter((peel) => !offline.has(peel)) : resolved;
  if (targets.length === 0)
    throw zesterError('CLI_NONE_ONLINE', { target: words.target, count: resolved.length });
  if (offline.size > 0)
    warn(
      `${given.on('online-only') ? 'offline and left out' : 'offline and not waited for'}: ${displayNames([...offline])}`,
    );
  say(targetingText(targets));
  const args = { ...words.args, ...(given.on('test') ? { test: true } : {}) };
  if (given.on('direct')) return runDirect(context, admin, { words, args, targets, timeoutMs, show });
  return runJob(context, admin, { words, args, targets, offline, timeoutMs, show, say, warn });
}

/** Nobody, unless it is asked for. */
async function offlineOf(
  given: GivenOptions,
  { bus, waitFor }: AdminBus,
  targets: readonly PeelId[],
): Promise<ReadonlySet<PeelId>> {
  if (!given.on('online-only') && !given.on('no-wait-offline')) return new Set();
  const looking = { what: 'the heartbeats', ifLeft: 'nothing was sent', next: 'run the command again' };
  return waitFor(looking, offlinePeels(bus, targets));
}

async function runJob(
  context: CliContext,
  { bus, waitFor }: AdminBus,
  run: {
    readonly words: ExecWords;
    readonly args: Readonly<Record<string, string | boolean>>;
    readonly targets: readonly PeelId[];
    readonly offline: ReadonlySet<PeelId>;
    readonly timeoutMs: number;
    readonly show: ShowOptions;
    readonly say: (line: string) => void;
    readonly warn: (line: string) => void;
  },
): Promise<number> {
  const { runtime } = context;
  const { words, targets } = run;
  const jid = parseJid(newKsuid(runtime.clock, runtime.random));
  if (jid === undefined) throw zesterError('CLI_EXEC_WORDS', { problem: 'no job id could be made' });
  const now = nanosFromMs(runtime.clock.nowMs());
  const job = jobCodec.create({
    jid,
    function: words.functionName,
    stateId: words.id,
    args: run.args,
    targets,
    targetExpr: words.target,
    timeout: nanosFromMs(run.timeoutMs),
    status: 'pending',
    created: now,
    updated: now,
    user: currentUser(context.env),
    protocol: PROTOCOL_VERSION,
  });
  const display = new JobDisplay(context, {
    ...run.show,
    isTest: asksDryRun(run.args),
    waitMs: run.timeoutMs + END_GRACE_MS,
  });
  const follower = new JobFollower({
    bus,
    runtime,
    jid,
    targets,
    notAwaited: run.offline,
    warn: run.warn,
    onReturn: (value) => display.noteReturn(value),
  });
  const dispatching = {
    what: `a master to take job ${jid}`,
    ifLeft: 'whether it was dispatched is not known',
    next: `if a master has taken it, ${run.show.attachCommand(jid)}`,
  };
  try {
    await waitFor({ ...dispatching, ifLeft: 'nothing was sent' }, follower.start());
    await waitFor(dispatching, dispatchJob(bus, runtime, job, run.warn));
    run.say(`Job ${jid} dispatched`);
    return await display.show(jid, follower);
  } finally {
    follower.stop();
  }
}

export function showOptionsOf(context: CliContext, given: GivenOptions): ShowOptions {
  const format = (given.text('format') ?? 'text') as ShowOptions['format'];
  const colours = context.isTerminal && !given.on('no-color') && !context.env.NO_COLOR;
  const attachCommand = (jid: string) => `${context.program} job attach ${jid}${placeWords(given)}`;
  const stateOutput = (given.text('state-output') ?? 'full') as StateOutput;
  const look = { paint: paintFor(colours), glyphs: glyphsFor(context.env), stateOutput };
  return { format, look, waitMs: 0, isTest: false, attachCommand };
}
