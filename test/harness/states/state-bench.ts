/**
 * A state bench is one state function on one machine: plan, carry out, plan again. `settle` is the law that every
 * module owes: what a dry run shows is what an apply leaves, after an apply nothing is missing, and steps that run
 * twice leave the same.
 */

import { getgid, getuid } from 'node:process';
import { expect } from 'vitest';
import type { DataMap } from '../../../src/core/data/data-value.ts';
import { Environment } from '../../../src/core/jinja/environment.ts';
import { decodeArguments } from '../../../src/core/params/decode-arguments.ts';
import { lookUpPath } from '../../../src/core/states/template/data-path.ts';
import { NO_WORDS } from '../../../src/core/target/operator-words.ts';
import type { FunctionOutcome } from '../../../src/modules/contract.ts';
import type { Plan, PlanContext, StateModule } from '../../../src/modules/state-contract.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { type FileStep, performFileStep } from '../../../src/system/file-steps.ts';
import type { ReadFiles } from '../../../src/system/files.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import { plannedFiles } from '../../../src/system/planned-files.ts';
import type { System } from '../../../src/system/system.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';
import { memoryTree } from './memory-tree.ts';

export interface BenchOptions {
  /** Default: a machine in memory. */
  readonly system?: System;
  /** The state tree. */
  readonly tree?: Readonly<Record<string, string>>;
  readonly settings?: DataMap;
  readonly facts?: WireMap;
}

export interface StateBench {
  readonly system: System;
  plan(module: StateModule, id: string, args?: WireMap, options?: PlanOptions): Promise<Plan>;
  /** Plans and carries out, and expects that this was all. Gives the plan that was carried out. */
  settle(module: StateModule, id: string, args?: WireMap): Promise<Plan>;
  /** `file 0644 0:0 text`, `directory 0755 0:0`, `link target`, `nothing`. */
  look(path: string): Promise<string>;
  /** A file with this text; its parents are made. */
  put(path: string, text: string | Uint8Array, mode?: number): Promise<void>;
}

export interface PlanOptions {
  readonly forced?: boolean;
  readonly files?: ReadFiles;
}

const environment = new Environment({ syntax: { keepTrailingNewline: true } });

export function stateBench({
  tree = {},
  settings = {},
  facts = {},
  ...options
}: BenchOptions = {}): StateBench {
  const clock = virtualClock();
  const system = options.system ?? memorySystem({ clock, random: seededRandom(1) });
  const { files } = system;
  // In memory we are root; on a real machine whoever runs the tests.
  const us =
    options.system === undefined ? { uid: 0, gid: 0 } : { uid: getuid?.() ?? 0, gid: getgid?.() ?? 0 };

  async function plan(module: StateModule, id: string, args: WireMap = {}, planOptions: PlanOptions = {}) {
    const values = decodeArguments(module.name, module.params, { id, args });
    const context: PlanContext = {
      files: planOptions.files ?? files,
      accounts: system.accounts,
      tree: memoryTree(tree),
      peelId: 'web-01',
      facts: { all: () => facts, words: () => NO_WORDS, get: (path) => lookUpPath(facts, path) },
      settings,
      render: async ({ text, name }, variables) => environment.compile(text, name).render(variables).output,
      id,
      sls: 'test',
      args,
      forced: planOptions.forced ?? false,
      previewFunction: async (): Promise<FunctionOutcome> => expect.unreachable('a file needs no function'),
      clock,
      signal: new AbortController().signal,
    };
    return module.plan(values, context);
  }

  async function perform(steps: readonly FileStep[]) {
    for (const step of steps) await performFileStep(files, step, clock.nowMs());
  }

  return {
    system,
    plan,
    async settle(module, id, args = {}) {
      const first = await plan(module, id, args);
      expect(first.steps.length === 0).toBe(first.diff === '');
      const steps = fileSteps(first);
      const imagined = plannedFiles({ base: files, clock, as: us });
      await imagined.plan(steps);
      expect((await plan(module, id, args, { files: imagined })).diff).toBe('');
      const touched = [...new Set(steps.map(({ path }) => path))];
      const foreseen = await Promise.all(touched.map((path) => lookAt(imagined, path)));
      for (const _ of ['once', 'twice']) {
        await perform(steps);
        expect(await Promise.all(touched.map((path) => lookAt(files, path)))).toEqual(foreseen);
        expect((await plan(module, id, args)).diff).toBe('');
      }
      return first;
    },
    look: (path) => lookAt(files, path),
    async put(path, text, mode = 0o644) {
      const parent = path.slice(0, path.lastIndexOf('/')) || '/';
      await files.makeDirectory(parent, { parents: true });
      await files.writeAtomic(path, Buffer.from(text), { mode });
    },
  };
}

function fileSteps({ steps }: Plan): readonly FileStep[] {
  return steps.map((step) => (step.kind === 'act' ? expect.unreachable(step.what) : step));
}

async function lookAt(files: ReadFiles, path: string): Promise<string> {
  const stat = await files.lstat(path);
  if (stat === undefined) return 'nothing';
  if (stat.kind === 'symlink') return `link ${stat.uid}:${stat.gid} ${await files.readLink(path)}`;
  const facets = `${stat.kind} ${stat.mode.toString(8).padStart(4, '0')} ${stat.uid}:${stat.gid}`;
  if (stat.kind !== 'file') return facets;
  return `${facets} ${Buffer.from((await files.read(path)) ?? []).toString('utf8')}`;
}
