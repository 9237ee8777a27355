/** `compiled` compiles state files from a table of texts; `problems` tells what is wrong, one line for each problem. */
import { Environment } from '../../../src/core/jinja/environment.ts';
import { optional, required, withDefault } from '../../../src/core/params/params.ts';
import type {
  AskedRef,
  Compilation,
  RenderStateFile,
} from '../../../src/core/states/compile/compile-input.ts';
import { compileStates } from '../../../src/core/states/compile/compile-states.ts';
import type { CompiledState } from '../../../src/core/states/compiled-state.ts';
import { printPlace, type StateProblem } from '../../../src/core/states/state-problem.ts';
import type { StateSchema, StateSchemas } from '../../../src/core/states/state-schema.ts';
import { memoryTree } from './memory-tree.ts';

const name = required('string', { doc: '', primary: true });
const SCHEMAS: readonly StateSchema[] = [
  {
    name: 'cmd.run',
    params: {
      command: required('string', { doc: '', primary: true }),
      env: optional('string-map', { doc: '' }),
    },
    open: false,
  },
  { name: 'file.absent', params: { name }, open: false },
  {
    name: 'file.managed',
    params: {
      name,
      source: optional('string', { doc: '' }),
      mode: optional('mode', { doc: '', aliases: ['file_mode'] }),
      makedirs: withDefault('boolean', false, { doc: '' }),
      context: optional('map', { doc: '' }),
      contents: optional('string', { doc: '' }),
      secret: optional('string', { doc: '', sensitive: true }),
    },
    open: false,
  },
  { name: 'module.run', params: {}, open: true },
  {
    name: 'pkg.installed',
    params: { name, version: optional('string', { doc: '' }), pkgs: optional('string-list', { doc: '' }) },
    open: false,
  },
  { name: 'pkg.removed', params: { name }, open: false },
  {
    name: 'service.running',
    params: { name, enable: optional('boolean', { doc: '' }), timeout: optional('duration', { doc: '' }) },
    open: false,
  },
  { name: 'test.nop', params: {}, open: false },
];

export const TEST_SCHEMAS: StateSchemas = {
  names: SCHEMAS.map((schema) => schema.name),
  find: (wanted) => SCHEMAS.find((schema) => schema.name === wanted),
};

export type FileTexts = Readonly<Record<string, string>>;

/** Renders with Jinja and the facts that a test may want; positions are those of the template. */
export const testRender: RenderStateFile = async (path, text, sls) => {
  const { output, positions } = new Environment()
    .compile(text, path)
    .render({ facts: { os: 'debian' }, sls });
  return {
    text: output,
    place(line, column) {
      const at = positions.lookup(line, column);
      return { file: at?.name ?? path, line: at?.line ?? line, column: at?.column ?? column };
    },
  };
};

/** A text alone is the file `web`. */
export async function compiled(
  files: FileTexts | string,
  refs: readonly (string | AskedRef)[] = ['web'],
): Promise<Compilation> {
  const tree = memoryTree(typeof files === 'string' ? { 'web.sls': files } : files);
  return compileStates(refs, { tree, schemas: TEST_SCHEMAS, render: testRender });
}

/** The states, where nothing may be wrong. */
export async function states(
  files: FileTexts | string,
  refs?: readonly string[],
): Promise<readonly CompiledState[]> {
  const { states: made, problems } = await compiled(files, refs);
  if (problems.length > 0) throw new Error(problems.map(problemLine).join('\n'));
  return made;
}

/** What is wrong. */
export async function problems(
  files: FileTexts | string,
  refs?: readonly string[],
): Promise<readonly string[]> {
  return (await compiled(files, refs)).problems.map(problemLine);
}

/** `web.sls:1:3 message | hint < who included it`. */
export function problemLine({ at, message, hint, chain }: StateProblem): string {
  const why = hint === undefined ? '' : ` | ${hint}`;
  return `${printPlace(at)} ${message}${why}${chain.map((link) => ` < ${printPlace(link)}`).join('')}`;
}
