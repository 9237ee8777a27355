/**
 * `readStateFile` takes one state file from text to nodes: rendered, then read as YAML. What is wrong in either is told
 * at the place in the template where it was written.
 *
 * A first line such as `#!jinja|yaml` is Salt's way to name what reads the file. These two are what there is here.
 */
import { isZesterError, type SourcePosition } from '../../errors/zester-error.ts';
import { TemplateError } from '../../jinja/errors.ts';
import { loadYaml } from '../../yaml/load-yaml.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import type { Rendered, RenderStateFile } from './compile-input.ts';
import type { ProblemList } from './problem-list.ts';
import { nodeKind, StateFile } from './state-file.ts';
import { templateProblem } from './template-problem.ts';

export interface FileToRead {
  readonly path: string;
  readonly text: string;
  readonly sls: string;
  readonly chain: readonly SourcePosition[];
  readonly includers: readonly string[];
}

/** Undefined: the file cannot be read, and `problems` says why. */
export async function readStateFile(
  file: FileToRead,
  render: RenderStateFile,
  problems: ProblemList,
): Promise<StateFile | undefined> {
  const renderer = rendererOf(file.text);
  if (renderer === 'unknown') {
    const place = { at: { file: file.path, line: 1, column: 1 }, chain: file.chain };
    problems.error(
      place,
      'a state file is read with jinja and yaml only',
      'remove the first line, or write #!jinja|yaml',
    );
    return undefined;
  }
  const rendered = await renderedFile(file, renderer === 'yaml' ? verbatim : render, problems);
  return rendered === undefined ? undefined : parsedFile(file, rendered, problems);
}

function rendererOf(text: string): 'jinja|yaml' | 'yaml' | 'unknown' {
  const line = /^#!([^\r\n]*)/.exec(text)?.[1]?.replace(/\s/g, '') ?? 'jinja|yaml';
  return line === 'jinja|yaml' || line === 'yaml' ? line : 'unknown';
}

const verbatim: RenderStateFile = (path, text) =>
  Promise.resolve({ text, place: (line, column) => ({ file: path, line, column }) });

async function renderedFile(
  { path, text, sls, chain }: FileToRead,
  render: RenderStateFile,
  problems: ProblemList,
): Promise<Rendered | undefined> {
  try {
    return await render(path, text, sls);
  } catch (error) {
    if (error instanceof TemplateError) {
      const { at, chain: links, message, hint } = templateProblem(error, path);
      problems.error({ at, chain: [...links, ...chain] }, message, hint);
    } else if (isZesterError(error)) {
      problems.error({ at: error.at ?? { file: path }, chain }, error.message, error.hint);
    } else throw error;
    return undefined;
  }
}

function parsedFile(
  { path, sls, chain, includers }: FileToRead,
  { text, place }: Rendered,
  problems: ProblemList,
): StateFile | undefined {
  let root: YamlNode | undefined;
  try {
    ({ root } = loadYaml(text, { name: path }));
  } catch (error) {
    if (!isZesterError(error)) throw error;
    const at = place(error.at?.line ?? 1, error.at?.column ?? 1);
    problems.error({ at, chain }, error.message, error.hint);
    return undefined;
  }
  if (root === undefined || root.kind === 'mapping')
    return new StateFile({ path, sls, chain, includers, place, root });
  // `null` alone, or a comment: as empty as an empty file.
  if (root.kind === 'scalar' && root.value.type === 'null')
    return new StateFile({ path, sls, chain, includers, place, root: undefined });
  problems.error(
    { at: place(root.at.line, root.at.column), chain },
    `a state file is a mapping of ids to states, not ${nodeKind(root)}`,
    'begin with an id, such as `nginx:` and below it `  pkg.installed: []`',
  );
  return undefined;
}
