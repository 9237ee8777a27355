/**
 * This list says where our engine does not do what Salt does, on purpose. docs/reference/jinja.md tells it
 * to people.
 */
import type { RecordedCase, RecordedError, RecordedOutcome } from './recorded-cases.ts';

export interface Difference {
  readonly name: string;
  readonly reason: string;
  /** Asked only where the outcomes differ. */
  applies(recorded: RecordedCase, ours: RecordedOutcome): boolean;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    name: 'Errors of the Python compiler',
    reason:
      'A break outside of a loop or a parameter that is there twice is found by Python when it compiles what Jinja2 generated. We say it as a TemplateSyntaxError with the line of the template.',
    applies: errors(
      (python, ours) =>
        python.type === 'SyntaxError' && ours.type === 'TemplateSyntaxError' && ours.line !== undefined,
    ),
  },
  {
    name: 'Endless recursion',
    reason: 'Python ends it when its stack is full, we end it at a limit that the host can set (LimitError).',
    applies: errors((python, ours) => python.type === 'RecursionError' && ours.type === 'LimitError'),
  },
  {
    name: 'Include without context inside of captured text',
    reason:
      'Jinja2 writes it past the filter block, block set or macro it stands in, straight to the output. With us it stands where it is written.',
    applies: ({ t, out }, ours) =>
      out !== undefined &&
      'out' in ours &&
      /include [^%]* without context/.test(t) &&
      sameLetters(out, ours.out),
  },
  {
    name: 'Characters by name',
    reason: '\\N{BULLET} would need a table of all names of Unicode. \\u2022 does the same.',
    applies: (_, ours) => 'err' in ours && ours.err.message.startsWith('escapes by Unicode name'),
  },
  {
    name: 'Attributes with underscores',
    reason:
      'Python objects have inner attributes, and its sandbox says of each that it is unsafe. Ours do not have them; we say unsafe for the well-known ones and undefined for the rest. Neither can be reached.',
    applies: ({ t, err }, ours) =>
      t.includes('__') && err !== undefined && 'err' in ours && isRefusal(err) && isRefusal(ours.err),
  },
  {
    name: 'The line of an error in with and in set of a namespace',
    reason: 'Jinja2 gives the line of the statement before. We give the line where the value is computed.',
    applies: (recorded, ours) => {
      const lines = sameErrorOnLines(recorded, ours);
      if (lines === undefined) return false;
      const text = lines.source.split(NEWLINE)[lines.ours - 1] ?? '';
      return lines.ours > lines.python && /\{%[-+]? *(?:with|set \w+\.)/.test(text);
    },
  },
  {
    name: 'The line of an error in a tag of several lines',
    reason: 'Jinja2 knows the lines of statements. We know those of every operator, name and call.',
    applies: (recorded, ours) => {
      const lines = sameErrorOnLines(recorded, ours);
      return lines !== undefined && isOneTag(lines.source, lines.python, lines.ours);
    },
  },
  {
    name: 'Who wants a mapping after **',
    reason:
      'For what is no mapping Python names its inner function, such as jinja2.filters.do_join(). We name the same one for all filters and tests.',
    applies: errors(
      (python, ours) =>
        python.type === 'TypeError' &&
        / argument after \*\* must be a mapping, not /.test(python.message) &&
        / argument after \*\* must be a mapping, not /.test(ours.message),
    ),
  },
  {
    name: 'Wrong slices of constants',
    reason:
      'Slicing what cannot be sliced is a TypeError. Only where Jinja2 computes a whole expression of constants before the render, it is undefined, which default and is defined accept.',
    applies: (_, ours) =>
      'err' in ours &&
      ours.err.type === 'TypeError' &&
      /object is not subscriptable$|^unhashable type: 'slice'$|^slice indices must be/.test(ours.err.message),
  },
  {
    name: 'Unknown filters behind a constant',
    reason:
      'In a or b with a constant a that is true, Jinja2 forgets b before it looks at its filters. We say that a filter of b does not exist.',
    applies: ({ t, err }, ours) =>
      'err' in ours &&
      ours.err.type === 'TemplateAssertionError' &&
      err?.type !== 'TemplateAssertionError' &&
      /\b(?:or|and|if)\b/.test(t),
  },
  {
    name: 'The order of errors in % formatting',
    reason:
      'Python prints the first value of a format such as "%s %s" before it computes the second. We compute all values first. With two wrong values the other one is reported.',
    applies: ({ t, err }, ours) =>
      err?.type === 'UndefinedError' &&
      'err' in ours &&
      /%[sra][^']*' % \(/.test(t) &&
      ours.err.line === err.line,
  },
  {
    name: 'Wrong keys in constants',
    reason:
      'A dict of constants with a list as a key fails in Jinja2 when the template is compiled, without a line, also in a branch that never runs. Here it fails when it is computed.',
    applies: ({ err }) =>
      err?.type === 'TypeError' && err.line === undefined && err.message.startsWith('unhashable type'),
  },
  {
    name: 'Infinite constants',
    reason:
      'Jinja2 writes 1e400 into the generated code as inf, a name that is not there (NameError). Here it is infinite.',
    applies: ({ err }) =>
      err?.type === 'NameError' && /^name '(?:inf|nan)' is not defined$/.test(err.message),
  },
  {
    name: 'A negative constant to a power',
    reason:
      'Jinja2 computes (-2) ** 2 as 4, but generates -2 ** n for a variable n, which Python reads as -(2 ** n). Here it is (-2) ** n in both.',
    applies: ({ t, out }, ours) =>
      out !== undefined &&
      'out' in ours &&
      /-\s*[\d_.]+\)?\s*\*\*/.test(t) &&
      out.replaceAll('-', '') === ours.out,
  },
  {
    name: 'Limits',
    reason: 'A text or list that would be too long is refused before anything else is looked at.',
    applies: (_, ours) => 'err' in ours && / than the limit of \d+$/.test(ours.err.message),
  },
  {
    name: 'The order of sets',
    reason:
      'What unique, union and their kin give for a tuple or text is a set. Python prints it in the order of its hashes, which differ from run to run for texts. Here it keeps the order of the items.',
    applies: ({ t, out }, ours) =>
      out !== undefined && 'out' in ours && t.includes('|unique') && sameLetters(out, ours.out),
  },
  {
    name: 'Sets in YAML',
    reason: 'Salt writes a set as a mapping with the tag !!set, which no state takes. Here it is an error.',
    applies: ({ out }, ours) =>
      out?.startsWith('!!set') === true && 'err' in ours && ours.err.type === 'RepresenterError',
  },
  {
    name: 'The words of an error in YAML',
    reason:
      'Salt wants to show the lines around a mistake in load_yaml or import_yaml and fails at that, with an AttributeError about splitlines. Here the error says what is wrong with the YAML, and where.',
    applies: errors(
      (python, ours) =>
        python.message === "'NoneType' object has no attribute 'splitlines'" &&
        ours.message.startsWith('Encountered error loading yaml: '),
    ),
  },
  {
    name: 'Complex numbers',
    reason: 'A negative number to a broken power is complex in Python. There are no complex numbers here.',
    applies: (_, ours) => 'err' in ours && ours.err.message.startsWith('a negative number to a broken power'),
  },
];

function errors(matches: (python: RecordedError, ours: RecordedError) => boolean): Difference['applies'] {
  return ({ err }, ours) => err !== undefined && 'err' in ours && matches(err, ours.err);
}

const NEWLINE = /\r\n|\r|\n/;

/** The two lines, where nothing but the line differs. */
function sameErrorOnLines(
  { t, f = {}, err }: RecordedCase,
  ours: RecordedOutcome,
): { readonly python: number; readonly ours: number; readonly source: string } | undefined {
  if (err?.line === undefined || !('err' in ours) || ours.err.line === undefined) return undefined;
  const { type, message, name = 'main' } = ours.err;
  if (type !== err.type || message !== err.message || name !== err.name) return undefined;
  return { python: err.line, ours: ours.err.line, source: name === 'main' ? t : (f[name] ?? '') };
}

function isOneTag(source: string, a: number, b: number): boolean {
  const lineAt = (offset: number): number => source.slice(0, offset).split(NEWLINE).length;
  return [...source.matchAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g)].some(
    (tag) => lineAt(tag.index) <= Math.min(a, b) && Math.max(a, b) <= lineAt(tag.index + tag[0].length),
  );
}

function isRefusal({ type, message }: RecordedError): boolean {
  return (type === 'SecurityError' || type === 'UndefinedError') && message.includes("'_");
}

function sameLetters(a: string, b: string): boolean {
  const sorted = (text: string): string => [...text.toLowerCase()].sort().join('');
  return sorted(a) === sorted(b);
}
