/**
 * `readStateFile` takes one state file, or one file of settings, from text to nodes: rendered, then read as YAML. What is
 * wrong in either is told at the place in the template where it was written.
 *
 * A first line such as `#!jinja|yaml` is Salt's way to name what reads the file. These two are what there is here.
 */
import { isZesterError, type SourcePosition } from '../../errors/zester-error.ts';
import { TemplateError } from '../../jinja/errors.ts';
import { loadMarkedYaml, loadYaml } from '../../yaml/load-yaml.ts';
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

/** What files of a kind are called in messages, and how one is written. */
export interface FileForm {
  readonly name: string;
  /** All of them, as a place. */
  readonly tree: string;
  /** To follow "is". */
  readonly content: string;
  readonly beginning: string;
  /** A tag that means something elsewhere, with what to say where it stands here. */
  readonly refusedTag?: { readonly tag: string; readonly message: string; readonly hint: string };
}

const STATE_FILE: FileForm = {
  name: 'a state file',
  tree: 'the tree of state files',
  content: 'a mapping of ids to states',
  beginning: 'begin with an id, such as `nginx:` and below it `  pkg.installed: []`',
};

/** Undefined: the file cannot be read, and `problems` says why. */
export async function readStateFile(
  file: FileToRead,
  render: RenderStateFile,
  problems: ProblemList,
  form: FileForm = STATE_FILE,
): Promise<StateFile | undefined> {
  const renderer = rendererOf(file.text);
  if (renderer === 'unknown') {
    const place = { at: { file: file.path, line: 1, column: 1 }, chain: file.chain };
    problems.error(
      place,
      `${form.name} is read with jinja and yaml only`,
      'remove the first line, or write #!jinja|yaml',
    );
    return undefined;
  }
  const rendered = renderer === 'yaml' ? verbatim(file) : await renderedFile(file, render, problems, form);
  return rendered === undefined ? undefined : parseFile(file, rendered, problems, form);
}

function rendererOf(text: string): 'jinja|yaml' | 'yaml' | 'unknown' {
  const line = /^#!([^\r\n]*)/.exec(text)?.[1]?.replace(/\s/g, '') ?? 'jinja|yaml';
  return line === 'jinja|yaml' || line === 'yaml' ? line : 'unknown';
}

/** A file that is no template. */
export function verbatim({ path, text }: Pick<FileToRead, 'path' | 'text'>): Rendered {
  return { text, place: (line, column) => ({ file: path, line, column }) };
}

async function renderedFile(
  { path, text, sls, chain }: FileToRead,
  render: RenderStateFile,
  problems: ProblemList,
  form: FileForm,
): Promise<Rendered | undefined> {
  try {
    return await render(path, text, sls);
  } catch (error) {
    if (error instanceof TemplateError) {
      const { at, chain: links, message, hint } = templateProblem(error, path, form.tree);
      problems.error({ at, chain: [...links, ...chain] }, message, hint);
    } else if (isZesterError(error)) {
      problems.error({ at: error.at ?? { file: path }, chain }, error.message, error.hint);
    } else throw error;
    return undefined;
  }
}

/** The part that is left once a file is rendered. */
export function parseFile(
  { path, sls, chain, includers }: FileToRead,
  { text, place }: Rendered,
  problems: ProblemList,
  form: FileForm,
): StateFile | undefined {
  const refused = refusedTag(text, path, form);
  if (refused !== undefined) {
    problems.error({ at: place(refused.line, refused.column), chain }, refused.message, refused.hint);
    return undefined;
  }
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
    `${form.name} is ${form.content}, not ${nodeKind(root)}`,
    form.beginning,
  );
  return undefined;
}

/** Where the refused tag stands first. A text that is no YAML is told by whoever reads it. */
function refusedTag(text: string, name: string, { refusedTag: refused }: FileForm) {
  if (refused === undefined || !text.includes(refused.tag)) return undefined;
  try {
    const [first] = loadMarkedYaml(text, { name, mark: refused.tag }).marks.found;
    return first && { ...refused, ...first.at };
  } catch (error) {
    if (isZesterError(error)) return undefined;
    throw error;
  }
}
