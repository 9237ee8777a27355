/**
 * This part of the port tells whether something keeps the machine's clock right. Skew against the NATS server is
 * measured elsewhere, by the bus; this is what the machine says about itself.
 */
export type ClockSkewQuery = () => Promise<ClockReading>;

export interface ClockReading {
  /** `unknown`: nobody on this machine could be asked. It is an answer, not a failure. */
  readonly state: 'synchronized' | 'unsynchronized' | 'unknown';
  /** How far the clock is ahead of its time source, where the source tells. Negative: behind. */
  readonly offsetMs?: number;
  /** Who said so. */
  readonly source: 'systemd-timesyncd' | 'chrony' | 'timedatectl' | 'none';
  /** One sentence for a person. */
  readonly why: string;
}
