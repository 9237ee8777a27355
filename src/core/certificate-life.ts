/**
 * The life of a certificate: it is renewed when two thirds of it are over, so that whoever cannot renew has a third of it to find
 * out why. By the dates in the certificate, whoever made it. Pure.
 */
export interface CertificateLife {
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** From when on it is renewed. */
export function renewFromMs({ beginsMs, endsMs }: CertificateLife): number {
  return beginsMs + ((endsMs - beginsMs) * 2) / 3;
}

export function isRenewalDue(life: CertificateLife, nowMs: number): boolean {
  return nowMs >= renewFromMs(life);
}
