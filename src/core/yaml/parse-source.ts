/**
 * `parseSource` makes the `yaml` package's syntax tree of a text. The package wants the inside of brackets to stand
 * further right than what is around them; PyYAML does not care. So where it complains about that, the line break in
 * question is made a blank, which changes no offset and, next to a bracket or comma, no meaning.
 */
import { type Document, parseAllDocuments } from 'yaml';

/** Each one parses the text again. */
const REPAIRS_MAX = 100;

export function parseSource(text: string): readonly Document[] {
  let current = text;
  let documents = parse(current);
  for (let repairs = 0; repairs < REPAIRS_MAX; repairs++) {
    const error = documents[0]?.errors[0];
    if (error?.code !== 'BAD_INDENT') break;
    const joined = joinLines(current, error.pos[0]);
    if (joined === undefined) break;
    const again = parse(joined);
    const left = again[0]?.errors[0];
    // Only a step forward counts: the error of what people wrote is clearer than that of what we made of it.
    if (left !== undefined && !(left.code === 'BAD_INDENT' && left.pos[0] > error.pos[0])) break;
    current = joined;
    documents = again;
  }
  return documents;
}

function parse(text: string): readonly Document[] {
  return parseAllDocuments(text, {
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    strict: false,
    logLevel: 'silent',
  });
}

/** The text with the line of `offset` joined to the one before, or undefined where that could change the meaning. */
function joinLines(text: string, offset: number): string | undefined {
  const before = text.slice(0, offset).trimEnd();
  const after = text.slice(offset).trimStart();
  const isComment = /(?:^|[ \t])#/.test(before.slice(before.lastIndexOf('\n') + 1));
  if (isComment || !(/[[{,]$/.test(before) || /^[\]},]/.test(after))) return undefined;
  const between = text.slice(before.length, text.length - after.length);
  return between.includes('\n') ? before + ' '.repeat(between.length) + after : undefined;
}
