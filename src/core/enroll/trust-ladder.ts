/**
 * The trust ladder says by what a machine that joins believes a master's certificate. The first rung that is there is the only one
 * that counts: what fails on it is fatal and never tried on a lower one. Only where nothing was given and nothing is known does a
 * second rung follow, first use, and that one is closed to a machine that has credentials and in `strict` mode.
 *
 *   CA file      `--ca`: certificates that the operator put on the machine
 *   pin          `--pin`: fingerprint of the root's key; the root itself may come from anywhere
 *   persisted    the CA that this machine joined with before
 *   system       what the operating system trusts
 *   first use    whatever the master shows, once; it is told, so that it can be compared
 */
export type TrustRung = 'ca-file' | 'pin' | 'persisted' | 'system' | 'first-use';

export interface TrustGiven {
  readonly hasCaFile: boolean;
  readonly hasPins: boolean;
  readonly hasPersisted: boolean;
  readonly hasCredentials: boolean;
  readonly strict: boolean;
}

/** In the order in which they may be tried. */
export function trustRungs(given: TrustGiven): readonly [TrustRung, ...TrustRung[]] {
  if (given.hasCaFile) return ['ca-file'];
  if (given.hasPins) return ['pin'];
  if (given.hasPersisted) return ['persisted'];
  return given.strict || given.hasCredentials ? ['system'] : ['system', 'first-use'];
}

const PIN = /^sha256:[0-9a-f]{64}$/;

/** `sha256:` and 64 hexadecimal digits; undefined for anything else: a typing error must not mean "no pin". */
export function parsePin(text: string): string | undefined {
  const pin = text.trim().toLowerCase();
  return PIN.test(pin) ? pin : undefined;
}
