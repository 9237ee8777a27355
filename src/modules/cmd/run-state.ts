/**
 * The states `cmd.run` and `cmd.wait` run a command. What a command changes nobody can know, so one that is to run is
 * predicted as a change, and what comes after it is known less well.
 *
 * Twice: the command runs twice, unless `creates` names what the first run made. It cannot be undone.
 */
import { formatDuration } from '../../core/duration.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { required, type ValuesOf, withDefault } from '../../core/params/params.ts';
import type { ReadFiles } from '../../system/files.ts';
import { type ActStep, NOTHING_TO_DO, type Plan, type PlanContext, stateModule } from '../state-contract.ts';
import {
  COMMAND_OUTPUT_BYTES_MAX,
  COMMAND_PARAMS,
  type CommandLine,
  guardsAsCommand,
  refuseImpossible,
  refuseOverlong,
  runCommandLine,
  TIMEOUT_MS_MAX,
} from './run-command-line.ts';

/** Beside `COMMAND_PARAMS`, what the states of the family have in common. */
export const COMMAND_STATE_PARAMS = {
  ...COMMAND_PARAMS,
  creates: withDefault('string-list', [], {
    doc: 'Files that it makes: when all of them are there it does not run.',
  }),
  success_retcodes: withDefault('string-list', [], { doc: 'Exit codes that are no failure, besides 0.' }),
  hide_output: withDefault('boolean', false, {
    doc: 'Keep nothing of what it prints, where that is a secret.',
  }),
};

const params = {
  command: required('string', {
    primary: true,
    aliases: ['cmd'],
    doc: 'What to run: it is handed to /bin/sh -c. With args: the program, without a shell.',
  }),
  args: withDefault('string-list', [], { doc: 'Arguments of the program, each as it stands.' }),
  ...COMMAND_STATE_PARAMS,
};

const LIMITS = [
  `The first ${COMMAND_OUTPUT_BYTES_MAX / 1024} KiB of stdout and of stderr are kept. The longest timeout is ${formatDuration(TIMEOUT_MS_MAX)}.`,
  'There is no `shell`, `umask` or `stateful`: put `umask 077;` in front of the command, and use `creates`, `onlyif` or `unless` to tell when it is needed.',
];

export const cmdRun = stateModule({
  name: 'cmd.run',
  summary: 'Runs a command, every time unless it is told when not to.',
  description: [
    'An exit code other than 0 is a failure. A command that ran counts as a change.',
    'A dry run starts nothing and reports that it would run.',
    ...LIMITS,
  ].join('\n'),
  params,
  examples: [
    'build:\n  cmd.run:\n    - name: make install\n    - cwd: /srv/app\n    - creates: /usr/local/bin/app\n',
    'migrate:\n  cmd.run:\n    - name: ./migrate --all\n    - cwd: /srv/app\n    - runas: deploy\n    - env:\n      - RAILS_ENV: production\n    - timeout: 10m\n',
    'no shell:\n  cmd.run:\n    - command: /usr/bin/printf\n    - args: ["%s", "a; b"]\n',
  ],
  guardsRun: guardsAsCommand,
  plan: (values, context) => planRun('cmd.run', values, context),
});

export const cmdWait = stateModule({
  name: 'cmd.wait',
  summary: 'Runs a command only when a state that it watches has changed something.',
  description: ['The same can be said with cmd.run and onchanges.', ...LIMITS].join('\n'),
  params,
  examples: [
    '/etc/app.conf:\n  file.managed:\n    - contents: port = 80\n\nreload:\n  cmd.wait:\n    - name: systemctl reload app\n    - watch:\n      - file: /etc/app.conf\n',
  ],
  guardsRun: guardsAsCommand,
  async plan(values, context) {
    return context.forced ? planRun('cmd.wait', values, context) : NOTHING_TO_DO;
  },
});

async function planRun(
  functionName: string,
  values: ValuesOf<typeof params>,
  context: PlanContext,
): Promise<Plan> {
  const { command, args } = values;
  const line: CommandLine = args.length > 0 ? { argv: [command, ...args] } : { shell: command };
  const shown = [command, ...args].join(' ');
  return planCommand(functionName, values, context, {
    shown,
    run: (goodExitCodes, act) => runCommandLine(line, values, act, goodExitCodes),
  });
}

export interface PlannedCommand {
  /** For people: what runs. */
  readonly shown: string;
  run(
    goodExitCodes: ReadonlySet<number>,
    context: Parameters<ActStep['run']>[0],
  ): ReturnType<typeof runCommandLine>;
}

/** One step that runs it, or none where all that it creates is there. */
export async function planCommand(
  functionName: string,
  values: ValuesOf<typeof COMMAND_STATE_PARAMS>,
  context: PlanContext,
  { shown, run }: PlannedCommand,
): Promise<Plan> {
  refuseOverlong(functionName, values.timeout);
  const goodExitCodes = exitCodes(functionName, values.success_retcodes);
  if (await allThere(values.creates, context.files)) return NOTHING_TO_DO;
  await refuseImpossible(values, context);
  const step: ActStep = {
    kind: 'act',
    what: `runs ${shown}`,
    predicts: 'change',
    opaque: true,
    async run(act) {
      const { details, data, error } = await run(goodExitCodes, act);
      return {
        changed: true,
        details: values.hide_output ? withoutOutput(details) : details,
        data: values.hide_output ? withoutOutput(data) : data,
        ...(error === undefined ? {} : { error }),
      };
    },
  };
  return { steps: [step], diff: `runs ${shown}` };
}

function exitCodes(functionName: string, codes: readonly string[]): ReadonlySet<number> {
  const wrong = codes.find((code) => !/^\d{1,3}$/.test(code));
  if (wrong === undefined) return new Set([0, ...codes.map(Number)]);
  const problems = `success_retcodes must be exit codes such as 3, not ${wrong}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems });
}

async function allThere(paths: readonly string[], files: ReadFiles): Promise<boolean> {
  for (const path of paths) if ((await files.stat(path)) === undefined) return false;
  return paths.length > 0;
}

function withoutOutput<V>({
  stdout: _stdout,
  stderr: _stderr,
  ...rest
}: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return rest;
}
