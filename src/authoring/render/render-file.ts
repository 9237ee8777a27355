/**
 * `renderFile` renders one file as the state engine would: the same environment, names and functions (state-templates.ts).
 * What only a machine can answer, such as `salt['cmd.run']`, is an error here: nobody is asked. A file of a settings tree is
 * rendered as in a resolve, with the settings of the files before it (render-settings.ts).
 */
import { join } from 'node:path';
import type { TemplateError } from '../../core/jinja/errors.ts';
import type { UndefinedType } from '../../core/jinja/render/undefined.ts';
import { Dict } from '../../core/jinja/values/container/dict.ts';
import { toHost } from '../../core/jinja/values/from-host.ts';
import { PythonError, type Value } from '../../core/jinja/values/value.ts';
import { refOfPath } from '../../core/states/compile/state-refs.ts';
import { wireOfHost } from '../../core/states/template/host-arguments.ts';
import { stateTemplates } from '../../core/states/template/state-templates.ts';
import type { TemplateMachine } from '../../core/states/template/template-context.ts';
import { NO_WORDS, type OperatorWords } from '../../core/target/operator-words.ts';
import { templateHost } from '../../core/templates/template-host.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { localTree } from '../../peel/states/local-tree.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { templateAbilities } from '../../runtime/template-abilities.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { type GivenMachine, type GivenPath, givenMachine } from '../given-machine.ts';
import { givenVariables, type VariablesFile } from './given-variables.ts';
import { renderSettings } from './render-settings.ts';

export interface RenderRequest {
  /** Directory that templates are looked up in. */
  readonly root: string;
  /** The template's name as others would include it, and as errors show it. */
  readonly name: string;
  readonly source: string;
  readonly variables: VariablesFile | undefined;
  readonly assignments: readonly string[];
  readonly undefinedType: UndefinedType;
  /** Of a machine, for facts and its name. */
  readonly facts: GivenPath | undefined;
  readonly peelId: PeelId | undefined;
  /** Settings as a peel has them: a settings tree, or plain files. */
  readonly settingsDir: string | undefined;
  readonly signal: AbortSignal;
}

/** Rejects with a TemplateError. */
export async function renderFile(request: RenderRequest, { clock, random }: Runtime): Promise<string> {
  const runtime = templateAbilities({ clock, random });
  const { files } = linuxSystem({ clock, random });
  const { root, signal, undefinedType, settingsDir } = request;
  const readYaml = templateHost(runtime).loadYaml ?? (() => null);
  const given = givenVariables(request.variables, request.assignments, readYaml);
  const { peelId, facts, words } = machineOf(request, given);
  const settings =
    settingsDir === undefined
      ? undefined
      : await renderSettings(settingsDir, join(root, request.name), {
          ...{ files, peelId, facts, words, machine: NO_MACHINE, runtime, signal },
        });
  if (typeof settings === 'string') return settings;
  const templates = stateTemplates({
    tree: localTree(files, root),
    data: {
      ...{ peelId, facts, words, statesDir: root, dryRun: true, machine: NO_MACHINE },
      settings: settingsGiven(given) ?? settings ?? {},
    },
    runtime,
    signal,
    undefinedType,
  });
  const { name, source: text } = request;
  return templates.renderText({ name, text }, refOfPath(name) ?? name, bothNames(given));
}

type Given = Readonly<Record<string, Value>>;

/** The facts and settings among the variables, for the functions that look them up. */
function machineOf(request: RenderRequest, given: Given): GivenMachine {
  const machine = request.facts === undefined ? undefined : givenMachine(request.facts);
  const variables = given.facts ?? given.grains;
  const facts = variables === undefined ? (machine?.facts ?? {}) : wireMapOf(variables);
  const words = wordsGiven(given) ?? machine?.words ?? NO_WORDS;
  const { peelId } = request;
  if (peelId === undefined) return { peelId: machine?.peelId ?? peelIdOf(facts), facts, words };
  // Files of facts say the id as well.
  return { peelId, facts: Object.hasOwn(facts, 'id') ? { ...facts, id: peelId } : facts, words };
}

function wordsGiven({ tags }: Given): OperatorWords | undefined {
  if (tags === undefined) return undefined;
  const texts = Object.entries(wireMapOf(tags)).map(([name, value]) => [name, String(value)] as const);
  return { tags: Object.fromEntries(texts), facts: {} };
}

function settingsGiven(given: Given): WireMap | undefined {
  const settings = given.settings ?? given.pillar;
  return settings === undefined ? undefined : wireMapOf(settings);
}

/** Facts and settings go by two names each; who gives one has given both. */
function bothNames(given: Given): Given {
  const { facts = given.grains, settings = given.pillar } = given;
  return {
    ...(facts === undefined || 'facts' in given ? {} : { facts }),
    ...(settings === undefined ? {} : { settings, pillar: settings }),
    ...given,
  };
}

function wireMapOf(value: Value | undefined): WireMap {
  return value instanceof Dict ? (wireOfHost(toHost(value)) as WireMap) : {};
}

const UNNAMED = 'render' as PeelId;

function peelIdOf({ id }: WireMap): PeelId {
  return (typeof id === 'string' ? parsePeelId(id) : undefined) ?? UNNAMED;
}

const NO_MACHINE: TemplateMachine = {
  functionNames: FUNCTIONS.all.map(({ name }) => name).sort(),
  callFunction: async (name) => nobody(`salt['${name}']`),
  hasProgram: async () => nobody('cmd_has_exec'),
  userInfo: async () => nobody('user_info'),
};

function nobody(what: string): never {
  throw new PythonError('HostError', `${what} needs a machine to ask, and zester render asks none`);
}

/** An error of a template for programs. */
export function errorRecord(error: TemplateError): Readonly<Record<string, unknown>> {
  const { type, message, name, line, column, excerpt, chain, near, note } = error;
  return { type, message, name, line, column, excerpt, chain, near, ...(note === undefined ? {} : { note }) };
}
