/** These functions print the documentation of functions, made from their declarations. */
import { wireOfData } from '../../core/data/data-value.ts';
import { formatDuration } from '../../core/duration.ts';
import { isRequired, type ParamSpec, paramNames } from '../../core/params/params.ts';
import { showValue } from '../../core/params/print-value.ts';
import { type ExecutionFunction, familyOf } from '../contract.ts';
import type { StateModule } from '../state-contract.ts';

/** What a person can call: an execution function, or a state. */
export type Callable = ExecutionFunction | StateModule;

/** Everything about one function. */
export function functionDoc(fn: Callable): string {
  return [
    `${fn.name}${remarkOn(fn)}`,
    indent(fn.summary),
    ...(fn.description === undefined ? [] : ['', indent(fn.description)]),
    '',
    '  Parameters:',
    ...(Object.keys(fn.params).length === 0 ? ['    none'] : []),
    ...Object.entries(fn.params).flatMap(([name, spec]) => [
      `    ${name}  (${traits(fn, name, spec).join('; ')})`,
      `        ${spec.doc}`,
    ]),
    '',
    '  Examples:',
    ...fn.examples.flatMap((example) => example.trimEnd().split('\n')).map((line) => `    ${line}`),
    '',
    indent(effectOf(fn)),
  ].join('\n');
}

function remarkOn(fn: Callable): string {
  if (fn.kind === 'state') return ' (state)';
  return fn.aliasOf === undefined ? '' : ` (another name of ${fn.aliasOf})`;
}

/** One line for each function, by family. */
export function functionIndex(functions: readonly Callable[]): string {
  const width = Math.max(...functions.map(({ name }) => name.length));
  const families = [...new Set(functions.map(({ name }) => familyOf(name)))];
  return families
    .map((family) =>
      functions
        .filter(({ name }) => familyOf(name) === family)
        .map((fn) => `${fn.name.padEnd(width)}  ${fn.summary}`)
        .join('\n'),
    )
    .join('\n\n');
}

function traits({ open }: Callable, name: string, spec: ParamSpec): string[] {
  // What an open function is given under another name belongs to what it calls.
  const aliases = open ? [] : paramNames(name, spec).slice(1);
  return [
    spec.type,
    ...(isRequired(spec) ? ['required'] : []),
    ...(spec.default === undefined ? [] : [`default ${defaultText(spec)}`]),
    ...(spec.primary ? ['takes the bare argument'] : []),
    ...(aliases.length > 0 ? [`also ${aliases.join(', ')}`] : []),
  ];
}

function defaultText(spec: ParamSpec): string {
  if (spec.type === 'duration' && typeof spec.default === 'number') return formatDuration(spec.default);
  return showValue(wireOfData(spec.default ?? null));
}

function effectOf(fn: Callable): string {
  if (fn.kind === 'state')
    return 'For state files, and to run by itself. With --test it says what it would change.';
  if (fn.kind === 'query') return 'Only looks; runs beside other jobs.';
  return fn.changesMachine
    ? 'Changes the machine; one at a time. With --test it says what it would do.'
    : 'Changes nothing; one at a time. With --test it says what it would do.';
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
