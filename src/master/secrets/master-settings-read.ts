/**
 * `readMasterSettings` reads the settings of the fleet as their author wrote them, secrets included, from bucket
 * master-settings: where the publisher puts them, sealed to the fleet key, before anything else. So every master knows them
 * without a directory of its own, and knows which peel gets which secret.
 *
 * One revision from start to end, every file checked; a set that is torn is an error, to be tried again.
 */
import type { ListedFile } from '../../bus/file-set/file-set.ts';
import { fetchFile, readFileSetHead } from '../../bus/file-set/read-file-set.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import {
  type ExtractOptions,
  extractSettings,
  type SettingsExtraction,
} from '../../core/settings/extract-settings.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import { masterSettingsSeal, openSealedToFleet } from '../../trust/fleet-seal.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import type { MasterContext } from '../master-context.ts';
import type { Keyring } from '../master-ports.ts';

const FETCHES_AT_ONCE = 8;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface MasterSettingsRead {
  readonly revision: number;
  readonly identity: string;
  readonly extraction: Pick<SettingsExtraction, 'secrets' | 'problems' | 'secretsOf'>;
}

/** `known` is given back where it is still the newest. Undefined: nothing was ever published. */
export async function readMasterSettings(
  context: Pick<MasterContext, 'bus' | 'runtime' | 'keys' | 'secretBook'>,
  known?: MasterSettingsRead,
): Promise<MasterSettingsRead | undefined> {
  const { bus, keys, runtime } = context;
  const spec = FILE_SETS.masterSettings;
  const head = await readFileSetHead(bus, spec);
  if (head.is === 'empty') return undefined;
  const torn = (problem: string) =>
    zesterError('SECRET_SETTINGS_TORN', { bucket: spec.bucket.name, problem });
  if (head.is === 'torn') throw torn(head.problem);
  if (head.identity === known?.identity) return known;
  const seal = masterSettingsSeal(() => keys.fleet, runtime.random);
  const read = async (file: ListedFile) => {
    const fetched = await fetchFile(bus, spec, file, seal);
    if (fetched.is === 'torn') throw torn(fetched.problem);
    const text = settingsTextOf(fetched.bytes);
    return text === undefined ? [] : [{ path: file.path, text }];
  };
  const texts = (await concurrentMap(head.files, FETCHES_AT_ONCE, read)).flat();
  const { secrets, problems, secretsOf } = extractSettings(texts, extractOptions(keys));
  for (const { path, value } of secrets) context.secretBook.learn(path, value);
  const { revision, identity } = head;
  return { revision, identity, extraction: { secrets, problems, secretsOf } };
}

/** Undefined for a content that is no text, which no settings are in. */
export function settingsTextOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // Not UTF-8.
    return undefined;
  }
}

/** How masters take settings apart: with their keys, and by no fact, since no operator sets facts yet. */
export function extractOptions({ fleet }: Pick<Keyring, 'fleet'>): ExtractOptions {
  return {
    openAtRest(sealed) {
      const plain = openSealedToFleet(fleet, sealed);
      return plain === undefined ? undefined : settingsTextOf(plain);
    },
    isTrustedFact: () => false,
  };
}
