/**
 * Answers what templates ask of this machine: execution functions, programs on the PATH, users.
 *
 * While states are only looked at (a dry run, `state.show_*`) a template may call queries and no action: it cannot be told
 * what an action would have answered (decision 19). The same goes for settings, which are resolved whenever somebody asks.
 * In an apply a template may call everything, each call for a minute at most.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { TemplateMachine } from '../../core/states/template/template-context.ts';
import type { ExecutionFunction, FunctionContext, FunctionOutcome } from '../../modules/contract.ts';
import { callFunction } from '../../modules/run-function.ts';
import { timeoutSignal } from '../../runtime/signals.ts';
import type { ReadSystem } from '../../system/system.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';

export const TEMPLATE_CALL_MS_MAX = 60_000;

/** Where programs are looked for; what a command of the peel gets as its PATH. */
const PROGRAM_DIRECTORIES = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
] as const;
const EXECUTE_BITS = 0o111;

/** Why a template may only call what looks; undefined: it may call everything. */
export type OnlyLooks = 'dry run' | 'settings' | undefined;

export function templateMachine(context: FunctionContext, onlyLooks: OnlyLooks): TemplateMachine {
  const { functions, system } = context;
  return {
    functionNames: functions.all.map(({ name }) => name),
    async callFunction(name, positional, named) {
      const fn = functions.get(name);
      if (onlyLooks !== undefined && fn.kind === 'action') throw refusal(onlyLooks, name);
      const args = argumentsOf(fn, positional, named);
      return answerOf(
        name,
        await withinTime(context, (limited) => callFunction(name, { args }, limited, false)),
      );
    },
    hasProgram: (name) => hasProgram(system, name),
    userInfo: (name) => userInfo(system, name),
  };
}

function refusal(onlyLooks: NonNullable<OnlyLooks>, name: string): Error {
  const code = onlyLooks === 'settings' ? 'SETTINGS_TEMPLATE_ACTION' : 'STATE_TEMPLATE_ACTION';
  return zesterError(code, { function: name });
}

/** Positional arguments by the order of the parameters; the one that takes the bare argument comes first. */
function argumentsOf(
  { name, params }: ExecutionFunction,
  positional: readonly WireValue[],
  named: WireMap,
): WireMap {
  const entries = Object.entries(params);
  const names = [
    ...entries.filter(([, spec]) => spec.primary),
    ...entries.filter(([, spec]) => !spec.primary),
  ].map(([key]) => key);
  if (positional.length > names.length) {
    const problems = `it takes at most ${names.length} arguments, ${positional.length} were given`;
    throw zesterError('MODULE_BAD_ARGUMENTS', { function: name, problems });
  }
  const byPlace = positional.map((value, index) => [names[index] ?? '', value] as const);
  const twice = byPlace.find(([key]) => Object.hasOwn(named, key));
  if (twice !== undefined)
    throw zesterError('MODULE_BAD_ARGUMENTS', { function: name, problems: `${twice[0]} was given twice` });
  return { ...Object.fromEntries(byPlace), ...named };
}

/** A command answers with what it printed, as in Salt. */
function answerOf(name: string, { error, result, details }: FunctionOutcome): WireValue {
  if (error === undefined) return result ?? details?.stdout ?? '';
  const printed = details?.stderr ?? '';
  throw zesterError('STATE_TEMPLATE_CALL', {
    function: name,
    reason: printed === '' ? error : `${error}: ${printed}`,
  });
}

async function withinTime(
  context: FunctionContext,
  work: (context: FunctionContext) => Promise<FunctionOutcome>,
): Promise<FunctionOutcome> {
  const limit = timeoutSignal(context.clock, TEMPLATE_CALL_MS_MAX);
  try {
    return await work({ ...context, signal: AbortSignal.any([context.signal, limit.signal]) });
  } finally {
    limit.cancel();
  }
}

async function hasProgram({ files }: ReadSystem, name: string): Promise<boolean> {
  const paths = name.startsWith('/')
    ? [name]
    : PROGRAM_DIRECTORIES.map((directory) => `${directory}/${name}`);
  if (!name.startsWith('/') && !/^[^/\0]+$/.test(name)) return false;
  for (const path of paths) {
    const there = await files.stat(path);
    if (there?.kind === 'file' && (there.mode & EXECUTE_BITS) !== 0) return true;
  }
  return false;
}

async function userInfo({ accounts }: ReadSystem, name: string): Promise<WireMap> {
  const user = await accounts.user(name);
  if (user === undefined) return {};
  const ids = await accounts.groupIdsOf(user);
  const groups = await Promise.all(ids.map(async (id) => (await accounts.group(id))?.name ?? String(id)));
  const { uid, gid, home, shell } = user;
  return { name: user.name, uid, gid, home, shell, groups };
}
