/**
 * `doorCa` follows the CA in the auth directory while a master runs: `zester ca rotate-intermediate`, or whoever copies its files here,
 * puts another intermediate there. Read again when somebody asks and the last reading is older than `READ_MS`: strangers ask, so
 * asking must not cost a reading each.
 *
 * Files that cannot be read, or do not fit together because only one of them has arrived, are told of, and the CA that
 * was read last counts. So does it where the root is another one: what machines pin is settled when a master starts.
 */
import type { Runtime } from '../../../runtime/runtime.ts';
import { type IssuingCa, spkiPin } from '../../../trust/x509/ca.ts';
import { loadCa, rootPath } from '../../../trust/x509/ca-dir.ts';
import { invalidCertificate } from '../../../trust/x509/read-certificate.ts';

const READ_MS = 30_000;

/** Throws when there is none that can be used at the start. */
export function doorCa(authDir: string, { clock, log }: Pick<Runtime, 'clock' | 'log'>): () => IssuingCa {
  let ca = loadCa(authDir);
  let readMs = clock.monotonicMs();
  const pin = spkiPin(ca.root);

  function readAgain(): IssuingCa {
    const there = loadCa(authDir);
    if (spkiPin(there.root) !== pin)
      throw invalidCertificate(rootPath(authDir), 'it is another root than at the start of this master');
    return there;
  }

  return () => {
    if (clock.monotonicMs() - readMs < READ_MS) return ca;
    readMs = clock.monotonicMs();
    try {
      ca = readAgain();
    } catch (error) {
      log.warn('the CA cannot be read again: the enrollment door goes on with the one before', { error });
    }
    return ca;
  };
}
