/** `zester '<target>' module.function …`: resolve, dispatch, follow. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { parseJid } from '../../wire/ids.ts';
import { jobCodec, PROTOCOL_VERSION } from '../../wire/job.ts';
import { nanosFromMs } from '../../wire/time.ts';
import { type AdminBus, CONNECT_OPTIONS, placeWords, withAdminBus } from '../admin-bus.ts';
import type { CliContext, Command, GivenOptions, OptionSpec } from '../command.ts';
import { durationOf } from '../common-options.ts';
import { currentUser } from '../current-user.ts';
import { paintFor } from '../paint.ts';
import { STATE_OUTPUTS, type StateOutput } from '../states/format-state-run.ts';
import { glyphsFor } from '../states/glyphs.ts';
import { defaultTimeoutMs } from './default-timeout.ts';
import { dispatchJob } from './dispatch-job.ts';
import { type ExecWords, parseExecWords } from './exec-words.ts';
import { JobDisplay, type ShowOptions } from './follow-job.ts';
import { JobFollower } from './job-follower.ts';
import { resolveTargets } from './resolve-targets.ts';
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

/** A record ends a little after its deadline: the owner writes rows for everyone first. */
const END_GRACE_MS = 15_000;

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
    { name: 'timeout', value: 'DURATION', doc: 'how long targets have; default 60s, 5m for states' },
    { name: 'test', doc: 'change nothing; say what would be done' },
    { name: 'direct', doc: 'ask the peels without a master: no record, no user' },
    STATE_OUTPUT_OPTION,
    DATA_FORMAT_OPTION,
    COLOR_OPTION,
    ...CONNECT_OPTIONS,
  ],
  async run(context, given) {
    const words = parseExecWords(given.words());
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
  const targets = await resolveTargets(admin.bus, words.target, (line) => context.say(`zester: ${line}\n`));
  const unknown = unknownInList(words.target, targets);
  if (unknown.length > 0) context.say(`zester: no peel is called ${unknown.join(', ')}\n`);
  say(targetingText(targets));
  const args = { ...words.args, ...(given.on('test') ? { test: true } : {}) };
  if (given.on('direct')) return runDirect(context, admin, { words, args, targets, timeoutMs, show });
  return runJob(context, admin, { words, args, targets, timeoutMs, show, say });
}

async function runJob(
  context: CliContext,
  { bus }: AdminBus,
  run: {
    readonly words: ExecWords;
    readonly args: Readonly<Record<string, string | boolean>>;
    readonly targets: Awaited<ReturnType<typeof resolveTargets>>;
    readonly timeoutMs: number;
    readonly show: ShowOptions;
    readonly say: (line: string) => void;
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
    warn: (line) => context.say(`zester: ${line}\n`),
    onReturn: (value) => display.noteReturn(value),
  });
  await follower.start();
  try {
    await dispatchJob(bus, runtime, job);
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
