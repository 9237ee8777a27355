/**
 * `settingsContents` parts the files of a settings tree into texts, in which secrets are looked for, and anything else, which
 * is published as it is. What could be a settings file and is no text is refused: nobody can tell what in it is secret, and
 * every peel can read what is published. Pure.
 */
import type { StateProblem } from '../states/state-problem.ts';
import { SECRET_TAG } from './find-secrets.ts';
import type { SettingsText } from './settings-top.ts';

export interface FileContent {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface SettingsContents {
  readonly texts: readonly SettingsText[];
  readonly others: readonly FileContent[];
  /** With one nothing of the settings may be published. */
  readonly problems: readonly StateProblem[];
}

const YAML_PATH = /\.(?:zy|sls|ya?ml)$/;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const tag = new TextEncoder().encode(SECRET_TAG);

export function settingsContents(files: readonly FileContent[]): SettingsContents {
  const texts: SettingsText[] = [];
  const others: FileContent[] = [];
  const problems: StateProblem[] = [];
  for (const file of files) {
    const { path, bytes } = file;
    const text = textOf(bytes);
    if (text !== undefined && !text.includes('\0')) texts.push({ path, text });
    else if (YAML_PATH.test(path))
      problems.push(refusal(path, 'this is no text in UTF-8', 'save it as UTF-8'));
    else if (holds(bytes, tag))
      problems.push(
        refusal(path, `${SECRET_TAG} stands in a file that is no text`, 'take the file out of the tree'),
      );
    else others.push(file);
  }
  return { texts, others, problems };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // Not UTF-8.
    return undefined;
  }
}

function holds(bytes: Uint8Array, wanted: Uint8Array): boolean {
  for (let at = bytes.indexOf(wanted[0] ?? 0); at >= 0; at = bytes.indexOf(wanted[0] ?? 0, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
}

function refusal(file: string, message: string, hint: string): StateProblem {
  return { message, at: { file }, chain: [], hint, severity: 'error' };
}
