/** These pages are the reference of state functions: an index, and a page for each family, as their declarations say. */
import { wireOfData } from '../../src/core/data/data-value.ts';
import { formatDuration } from '../../src/core/duration.ts';
import { CONVERSIONS } from '../../src/core/params/param-values.ts';
import { isRequired, type ParamSpec, paramNames } from '../../src/core/params/params.ts';
import { showValue } from '../../src/core/params/print-value.ts';
import type { StateModule } from '../../src/modules/state-contract.ts';
import { MADE } from './made.ts';
import { printSchema, stateFileSchema } from './state-file-schema.ts';

const STATES_DIR = 'docs/reference/states';

/** Path from the root of the repository → text. */
export function statePages(
  modules: readonly StateModule[],
): readonly (readonly [path: string, text: string])[] {
  const families = [...new Set(modules.map(familyOf))].sort();
  const of = (family: string) => modules.filter((module) => familyOf(module) === family);
  return [
    [`${STATES_DIR}/README.md`, indexPage(families.map((family) => [family, of(family)]))],
    ...families.map((family) => [`${STATES_DIR}/${family}.md`, familyPage(family, of(family))] as const),
    [`${STATES_DIR}/schema.json`, printSchema(stateFileSchema(modules))],
  ];
}

function indexPage(
  families: readonly (readonly [family: string, modules: readonly StateModule[]])[],
): string {
  return page(
    '# State functions',
    MADE,
    'What a state file can declare. Every state also takes the requisites and attributes of [the requisites guide](../../guides/requisites.md). An editor that knows JSON Schema can check state files without templates in them against [schema.json](schema.json).',
    ...families.map(([family, modules]) =>
      [
        `## [${family}](${family}.md)`,
        '',
        table(
          ['function', 'what it holds true'],
          modules.map(({ name, summary }) => [`[${name}](${family}.md#${anchor(name)})`, summary]),
        ),
      ].join('\n'),
    ),
    'What templates can ask of the machine: [facts, and the names that Salt has for them](../grains.md).',
  );
}

function familyPage(family: string, modules: readonly StateModule[]): string {
  return page(`# States: ${family}`, MADE, '[All families](README.md)', ...modules.map(moduleSection));
}

function moduleSection({ name, summary, description, params, open, examples }: StateModule): string {
  const rows = Object.entries(params).map(([param, spec]) => paramRow(param, spec));
  return [
    `## ${name}`,
    '',
    summary,
    ...(description === undefined ? [] : ['', description]),
    '',
    ...(rows.length === 0
      ? ['It takes no parameters.']
      : [table(['parameter', 'type', 'default', 'what'], rows)]),
    ...(open === true ? ['', 'It takes further parameters, which belong to what it runs.'] : []),
    ...examples.flatMap((example) => ['', '```yaml', example.trimEnd(), '```']),
  ].join('\n');
}

function paramRow(name: string, spec: ParamSpec): readonly string[] {
  const [, ...aliases] = paramNames(name, spec);
  const also = aliases.length === 0 ? '' : ` (also ${aliases.map(code).join(', ')})`;
  const traits = [
    spec.doc,
    ...(spec.primary ? ['Not given: the id of the state.'] : []),
    ...(spec.sensitive ? ['Never shown.'] : []),
  ];
  return [`${code(name)}${also}`, CONVERSIONS[spec.type].expects, defaultOf(spec), traits.join(' ')];
}

function defaultOf(spec: ParamSpec): string {
  if (isRequired(spec)) return spec.primary ? '' : 'required';
  if (spec.default === undefined) return '';
  if (spec.type === 'duration') return code(formatDuration(Number(spec.default)));
  if (spec.type === 'mode') return code(Number(spec.default).toString(8).padStart(4, '0'));
  return code(showValue(wireOfData(spec.default)));
}

const familyOf = ({ name }: Pick<StateModule, 'name'>): string => name.slice(0, name.indexOf('.'));
/** As the usual renderers make it: `file.managed` is #filemanaged. */
const anchor = (name: string): string => name.replaceAll('.', '');
const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function page(...parts: string[]): string {
  return `${parts.join('\n\n')}\n`;
}
