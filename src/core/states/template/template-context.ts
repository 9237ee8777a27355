/**
 * The template context is what a template of the state engine sees: facts and settings under both of their names, tags,
 * `salt[...]`, and the functions that Zester has of old. The same for state files, for top files and for the templates
 * of `file.managed`.
 *
 * `salt['module.function']` looks facts and settings up at once (salt-lookups.ts); every other name is an execution
 * function, which is awaited. Which of them may be called is for whoever passes `callFunction` to say: a dry run has no
 * actions (decision 19).
 */

import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../../wire/names/ids.ts';
import type { DataMap } from '../../data/data-value.ts';
import type { Variables } from '../../jinja/render/given-variables.ts';
import { type HostCall, HostFunction, HostFunctions } from '../../jinja/render/host-function.ts';
import { PythonError } from '../../jinja/values/value.ts';
import { nearestWord } from '../../suggest.ts';
import type { OperatorWords } from '../../target/operator-words.ts';
import { lookUpPath } from './data-path.ts';
import { grainsOf } from './grain-names.ts';
import { hostArguments, used, wireOfHost } from './host-arguments.ts';
import { ifElse, type LookupData, plainLookup, saltLookups, zesterFilterBy } from './salt-lookups.ts';

/** There is one environment. */
const SALTENV = 'base';

export interface TemplateData {
  readonly peelId: PeelId;
  /** With those of operators in their place. */
  readonly facts: WireMap;
  readonly words: OperatorWords;
  readonly settings: DataMap;
  /** Where the state files are, for `opts.file_roots`. */
  readonly statesDir: string;
  readonly dryRun: boolean;
  readonly machine: TemplateMachine;
}

/** What templates ask of the machine. */
export interface TemplateMachine {
  /** Names of the execution functions, sorted. */
  readonly functionNames: readonly string[];
  callFunction(name: string, positional: readonly WireValue[], named: WireMap): Promise<WireValue>;
  /** Whether a program is on the PATH. */
  hasProgram(name: string): Promise<boolean>;
  /** As `user_info` of Zester gives it; an empty map where there is no such user. */
  userInfo(name: string): Promise<WireMap>;
}

/** For every template of a run. */
export function templateGlobals(data: TemplateData): Variables {
  return globalsWithSettings(data)(data.settings);
}

/** The same where the settings change from template to template. */
export function globalsWithSettings(data: Omit<TemplateData, 'settings'>): (settings: DataMap) => Variables {
  const grains = grainsOf(data.facts, data.peelId);
  return (settings) => globalsOf({ ...data, settings }, grains);
}

function globalsOf(data: TemplateData, grains: WireMap): Variables {
  const { peelId, facts, words, settings, machine } = data;
  const lookups: LookupData = { peelId, facts, words, grains, settings };
  const table = saltTable(lookups, machine);
  const host = (name: string, call: HostCall) => [name, new HostFunction(name, call)] as const;
  return {
    facts,
    grains,
    tags: words.tags,
    settings,
    pillar: settings,
    salt: new HostFunctions(table),
    opts: optionsOf(data),
    saltenv: SALTENV,
    env: SALTENV,
    ...Object.fromEntries([
      host('salt_call', saltCall(table)),
      host(
        'facts_get',
        plainLookup('facts_get', (path) => lookUpPath(facts, path)),
      ),
      host(
        'pillar_get',
        plainLookup('pillar_get', (path) => lookUpPath(settings, path)),
      ),
      host('grains_filter_by', zesterFilterBy(lookups)),
      host(
        'user_info',
        oneText('user_info', (name) => machine.userInfo(name)),
      ),
      host(
        'cmd_has_exec',
        oneText('cmd_has_exec', (name) => machine.hasProgram(name)),
      ),
      host('file_dirname', oneText('file_dirname', directoryOf)),
      host('ifelse', ifElse(lookups)),
      // What other peels say of themselves; nobody collects it yet.
      host('basket', () => []),
    ]),
  };
}

function optionsOf({ peelId, statesDir, dryRun }: Omit<TemplateData, 'settings'>): WireMap {
  return {
    id: peelId,
    minion_id: peelId,
    test: dryRun,
    saltenv: SALTENV,
    environment: SALTENV,
    pillarenv: SALTENV,
    file_roots: { [SALTENV]: [statesDir] },
  };
}

interface SaltTable {
  find(name: string): HostCall | undefined;
  names(): Iterable<string>;
}

function saltTable(data: LookupData, machine: TemplateMachine): SaltTable {
  const lookups = new Map([
    ...saltLookups(data),
    ['cmd.has_exec', oneText('cmd.has_exec', (name) => machine.hasProgram(name))],
    ['user.info', oneText('user.info', (name) => machine.userInfo(name))],
    ['file.dirname', oneText('file.dirname', directoryOf)],
  ]);
  const functions = new Set(machine.functionNames);
  return {
    names: () => [...lookups.keys(), ...machine.functionNames.filter((name) => !lookups.has(name))],
    find(name) {
      const lookup = lookups.get(name);
      if (lookup !== undefined || !functions.has(name)) return lookup;
      return (positional, named) =>
        machine.callFunction(
          name,
          positional.map((value) => wireOfHost(value)),
          Object.fromEntries(Object.entries(named).map(([key, value]) => [key, wireOfHost(value)])),
        );
    },
  };
}

/** `salt_call('module.function', …)`: for names that are put together. */
function saltCall(table: SaltTable): HostCall {
  return ([name, ...positional], named) => {
    const found = typeof name === 'string' ? table.find(name) : undefined;
    if (found !== undefined) return found(positional, named);
    const near = nearestWord(String(name), [...table.names()]);
    throw new PythonError(
      'KeyError',
      `there is no function ${String(name)}`,
      near === undefined ? [] : [near],
    );
  };
}

function oneText(name: string, answer: (text: string) => unknown): HostCall {
  return (positional, named) => {
    const { name: text } = hostArguments(name, ['name'], positional, named);
    used(text);
    if (typeof text !== 'string') throw new PythonError('TypeError', `${name}() needs text`);
    return answer(text);
  };
}

function directoryOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end) || '/';
}
