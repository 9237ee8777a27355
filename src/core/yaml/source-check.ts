/**
 * These checks find what PyYAML refuses in the text itself, whatever it means: characters that cannot be seen, and tabs
 * between words.
 */
import { Lexer } from 'yaml';

export interface SourceProblem {
  readonly problem: string;
  readonly offset: number;
}

const INVISIBLE = /[^\t\n\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const TAB_PROBLEM = 'a tab cannot stand here; YAML takes spaces only';
/** The lexer's own marks, which are no text of the file. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f']);
const SCALAR_MARK = '\u001f';

export function forbiddenCharacter(text: string): SourceProblem | undefined {
  const invisible = INVISIBLE.exec(text);
  const tab = text.includes('\t') ? forbiddenTab(text) : undefined;
  if (invisible === null) return tab;
  const code = (invisible[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const seen = { problem: `the character U+${code} is not allowed in YAML`, offset: invisible.index };
  return tab === undefined || seen.offset < tab.offset ? seen : tab;
}

/** Lines with `%` before the document; PyYAML passes over names it does not know, but wants them well formed. */
export function directiveProblem(text: string): SourceProblem | undefined {
  let offset = 0;
  let hasDirective = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('%')) {
      hasDirective = true;
      if (!/^%[A-Za-z0-9_-]+(?:[ \r]|$)/.test(line))
        return { problem: `${line.trim()} is no directive`, offset };
      if (/^%YAML\b/.test(line) && !/^%YAML +1\.[0-9]+ *(?:#.*)?\r?$/.test(line))
        return { problem: 'only YAML 1.x can be read', offset };
    } else if (!/^[ \r]*(?:#.*)?$/.test(line)) {
      if (!hasDirective || /^---(?:[ \r]|$)/.test(line)) return undefined;
      return { problem: 'a directive has no --- after it', offset };
    }
    offset += line.length + 1;
  }
  return hasDirective ? { problem: 'a directive has no --- after it', offset: 0 } : undefined;
}

/** The first tab that is not inside of quotes, a block of text or a comment. */
function forbiddenTab(text: string): SourceProblem | undefined {
  let offset = 0;
  let isScalar = false;
  let isBlock = false;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.has(token)) {
      isScalar = token === SCALAR_MARK;
      continue;
    }
    const tab = token.indexOf('\t');
    if (tab >= 0 && !(isScalar ? isBlock : /^["'#]/.test(token)))
      return { problem: TAB_PROBLEM, offset: offset + tab };
    if (isScalar) isBlock = false;
    else if (/^[|>]/.test(token)) isBlock = true;
    isScalar = false;
    offset += token.length;
  }
  return undefined;
}
