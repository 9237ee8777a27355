/**
 * Capped output is the output of a program, kept up to a bound: the rest is counted, so that a program that never stops
 * talking costs nothing.
 */
import { assert } from '../core/assert.ts';
import type { ProcessOutput } from './processes.ts';

export class CappedOutput {
  private readonly bytesMax: number;
  private readonly chunks: Uint8Array[] = [];
  private bytesKept = 0;
  private bytesDropped = 0;

  constructor(bytesMax: number) {
    assert(bytesMax >= 0, 'an output limit is not negative');
    this.bytesMax = bytesMax;
  }

  readonly take = (bytes: Uint8Array): void => {
    const kept = bytes.subarray(0, this.bytesMax - this.bytesKept);
    if (kept.length > 0) this.chunks.push(kept);
    this.bytesKept += kept.length;
    this.bytesDropped += bytes.length - kept.length;
  };

  output(): ProcessOutput {
    return { bytes: Buffer.concat(this.chunks, this.bytesKept), bytesDropped: this.bytesDropped };
  }
}
