/**
 * `listSecrets` tells which secrets there are in the published settings and which of the known peels get each: places and
 * names, never a value. A fleet is gone through with a pause for others whenever it has worked for `SLICE_MS`.
 */
import type { ExtractedSecret, SettingsExtraction } from '../../core/settings/extract-settings.ts';
import type { OperatorWords } from '../../core/target/operator-words.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { SecretListing } from '../../wire/records/secret-admin.ts';

const SLICE_MS = 10;

/** Sorted by path. `peels` are those to be named; of a list of one only its secrets are told. */
export async function listSecrets(
  clock: Clock,
  { secrets, secretsOf }: Pick<SettingsExtraction, 'secrets' | 'secretsOf'>,
  peels: readonly PeelId[],
  wordsOf: (peel: PeelId) => OperatorWords,
): Promise<readonly SecretListing[]> {
  const getters = new Map<string, PeelId[]>();
  let pausedMs = clock.monotonicMs();
  for (const peel of peels) {
    for (const path of secretsOf(peel, wordsOf(peel)).keys()) {
      const known = getters.get(path);
      if (known === undefined) getters.set(path, [peel]);
      else known.push(peel);
    }
    if (clock.monotonicMs() - pausedMs < SLICE_MS) continue;
    await sleep(clock, 0);
    pausedMs = clock.monotonicMs();
  }
  return secrets.map((secret) => listingOf(secret, getters.get(secret.path) ?? []));
}

function listingOf(secret: ExtractedSecret, peels: readonly PeelId[]): SecretListing {
  const { path, file, at, sealedAtRest } = secret;
  return { path, file, line: at.line ?? 0, sealedAtRest, peels: [...peels].sort() };
}
