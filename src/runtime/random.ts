/** Random is chance as a port. Nothing outside this folder draws random numbers. */
export interface Random {
  /** `count` random bytes; the system's are fit for keys. */
  bytes(count: number): Uint8Array;
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
}

/** `baseMs` with up to `spread` (0 to 1) of it added or taken away: what keeps a fleet from acting in step. */
export function jitter(random: Random, baseMs: number, spread: number): number {
  return baseMs * (1 + spread * (2 * random.fraction() - 1));
}
