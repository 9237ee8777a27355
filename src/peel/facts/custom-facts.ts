/**
 * The custom facts file, `/etc/zester/facts`: what an operator says about a machine. Operators and `facts.set` write
 * it, the peel reads it every half minute. It is a JSON object, or lines of `key: value` where the value is plain text
 * or JSON; both are YAML, and mean here what they mean there. Other YAML is refused with file and line, not misread.
 *
 * `facts.set` reads, changes and replaces the whole file under a lock, as JSON; comments do not survive that. Another
 * program that writes in the same moment may be overwritten.
 */
import { type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { isFactName, isReservedFact, withFact } from '../../modules/facts/fact-path.ts';
import { parseFactValue } from '../../modules/facts/fact-value.ts';
import type { Files } from '../../system/files.ts';
import { encodeValue } from '../../wire/msgpack/msgpack-encode.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { readText, type TextFiles } from './machine-text.ts';

export const CUSTOM_FACTS_FILE = '/etc/zester/facts';

/** No file, or an empty one, is no facts. */
export async function readCustomFacts(files: TextFiles, file: string): Promise<WireMap> {
  return parseCustomFacts((await readText(files, file)) ?? '', file);
}

/** Returns all custom facts as they are now. */
export async function setCustomFact(
  files: Files,
  file: string,
  path: string,
  value: WireValue,
): Promise<WireMap> {
  return files.lock(file, async () => {
    const facts = withFact(await readCustomFacts(files, file), path, value);
    refuseUnsendable(facts, file);
    await files.makeDirectory(file.slice(0, file.lastIndexOf('/')) || '/', { parents: true });
    const isNew = (await files.lstat(file)) === undefined;
    const text = `${JSON.stringify(facts, undefined, 2)}\n`;
    await files.writeAtomic(file, Buffer.from(text), isNew ? { mode: 0o644 } : {});
    return facts;
  });
}

export function parseCustomFacts(text: string, file: string): WireMap {
  const facts = text.trimStart().startsWith('{') ? parseObject(text, file) : parseLines(text, file);
  const [reserved] = Object.keys(facts).filter(isReservedFact);
  if (reserved !== undefined)
    throw invalid(file, lineOf(text, reserved), `the fact ${reserved} belongs to Zester`);
  refuseUnsendable(facts, file);
  return facts;
}

function parseObject(text: string, file: string): WireMap {
  try {
    const value = JSON.parse(text) as WireValue;
    return isWireMap(value) ? value : {};
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : '';
    const [, position] = /position (\d+)/.exec(message) ?? [];
    const line = text.slice(0, Number(position ?? 0)).split('\n').length;
    throw invalid(file, line, 'this is not valid JSON', cause);
  }
}

/** YAML has other ways to write a name; here it stands as it is. */
const QUOTED = /^["'&*!?|>%@`[{,-]/;
const LINE = /^([^\s:#][^:]*?)\s*:(?:\s+(.*))?$/;

function parseLines(text: string, file: string): WireMap {
  const facts: Record<string, WireValue> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#.*)?$/.test(line) || line === '---') continue;
    const [, key, written = ''] = LINE.exec(line) ?? [];
    const at = index + 1;
    if (key === undefined)
      throw invalid(file, at, 'expected key: value, with maps and lists written as JSON');
    if (!isFactName(key) || QUOTED.test(key)) throw invalid(file, at, `${key} cannot be the name of a fact`);
    if (Object.hasOwn(facts, key)) throw invalid(file, at, `${key} is there twice`);
    const value = parseFactValue(written) ?? parseFactValue(written.replace(/\s+#.*$/, ''));
    if (value === undefined) throw invalid(file, at, `the value of ${key} is neither plain text nor JSON`);
    facts[key] = value;
  }
  return facts;
}

/** Facts that no message can carry (too deep, a name that is not allowed) are refused here, not at the next publish. */
function refuseUnsendable(facts: WireMap, file: string): void {
  try {
    encodeValue(facts);
  } catch (cause) {
    throw invalid(
      file,
      1,
      `these facts cannot be sent: ${cause instanceof Error ? cause.message : ''}`,
      cause,
    );
  }
}

function lineOf(text: string, key: string): number {
  const line = text.split('\n').findIndex((candidate) => candidate.includes(key));
  return Math.max(0, line) + 1;
}

function invalid(file: string, line: number, reason: string, cause?: unknown): ZesterError {
  return zesterError('CUSTOM_FACTS_INVALID', { file, line, reason }, { cause, at: { file, line } });
}
