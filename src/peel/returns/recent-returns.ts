/** The last returns that were sent, in memory: a NATS that came back older may have lost them. Oldest go first. */
import type { Jid } from '../../wire/names/ids.ts';
import type { StoredReturn } from '../intake/job-book.ts';

const RETURNS_MAX = 64;
const BYTES_MAX = 1_048_576;

export class RecentReturns {
  private readonly returns = new Map<Jid, StoredReturn>();
  private bytes = 0;

  get(jid: Jid): StoredReturn | undefined {
    return this.returns.get(jid);
  }

  add(jid: Jid, value: StoredReturn): void {
    this.remove(jid);
    this.returns.set(jid, value);
    this.bytes += value.bytes.length;
    for (const oldest of this.returns.keys()) {
      if (this.returns.size <= RETURNS_MAX && this.bytes <= BYTES_MAX) return;
      this.remove(oldest);
    }
  }

  private remove(jid: Jid): void {
    this.bytes -= this.returns.get(jid)?.bytes.length ?? 0;
    this.returns.delete(jid);
  }
}
