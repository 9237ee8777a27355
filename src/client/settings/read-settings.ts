/**
 * These functions ask a peel for its settings: rendered settings are stored nowhere, so that only the peel itself can tell.
 * It shows secrets as `[secret <path>]`, or as placeholders where it explains. What it says is a stranger's word.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { type ExplanationRecord, parseExplanation } from '../../core/settings/explanation-record.ts';
import { lookUpPath } from '../../core/states/template/data-path.ts';
import { nearestWord } from '../../core/suggest.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { ClientContext } from '../client-context.ts';
import { type PeelAnswer, runOnPeel } from '../jobs/run-on-peel.ts';

export interface AskedPeel {
  /** Its id, or its name with dots. */
  readonly name: string;
  readonly timeoutMs: number;
}

export interface ShownSettings {
  readonly peel: PeelId;
  /** All of them, or what stands at the key. */
  readonly value: WireValue;
}

/** `key` as `settings.get` takes it. Throws as `runOnPeel` does, and CLI_SETTING_UNKNOWN where there is no such setting. */
export async function readSettings(
  client: ClientContext,
  asked: AskedPeel,
  key: string | undefined,
): Promise<ShownSettings> {
  const { peel, result } = await ask(client, asked, 'settings.items', '');
  const settings = result.data.result;
  if (!isWireMap(settings)) throw unreadable(peel);
  if (key === undefined) return { peel, value: settings };
  const value = lookUpPath(settings, key);
  if (value === undefined) throw unknownSetting(peel, settings, key);
  return { peel, value };
}

export interface PeelExplanation {
  readonly peel: PeelId;
  readonly explanation: ExplanationRecord;
}

/** A key that is not set has an explanation as well. */
export async function readExplanation(
  client: ClientContext,
  asked: AskedPeel,
  key: string,
): Promise<PeelExplanation> {
  const { peel, result } = await ask(client, asked, 'settings.explain', key);
  const explanation = parseExplanation(result.data.result);
  if (explanation === undefined) throw unreadable(peel);
  return { peel, explanation };
}

function ask(
  client: ClientContext,
  { name, timeoutMs }: AskedPeel,
  functionName: string,
  id: string,
): Promise<PeelAnswer> {
  return runOnPeel(client, name, { functionName, id, args: {}, timeoutMs });
}

function unreadable(peel: PeelId): Error {
  return zesterError('CLI_PEEL_FAILED', { peel, reason: 'its answer is not that of the function' });
}

/** Says which part of the key is not there, with what may have been meant in its place. */
function unknownSetting(peel: PeelId, settings: WireMap, key: string): Error {
  const parts = key.split(/[:.]/);
  let known: WireValue = settings;
  for (const [depth, part] of parts.entries()) {
    if (!isWireMap(known)) break;
    const inner: WireValue | undefined = known[part];
    const near = inner === undefined ? nearestWord(part, Object.keys(known)) : undefined;
    if (near !== undefined) {
      const meant = [...parts.slice(0, depth), near].join('.');
      return zesterError('CLI_SETTING_UNKNOWN', { peel, key, suggestion: `; did you mean ${meant}?` });
    }
    if (inner === undefined) break;
    known = inner;
  }
  return zesterError('CLI_SETTING_UNKNOWN', { peel, key, suggestion: '' });
}
