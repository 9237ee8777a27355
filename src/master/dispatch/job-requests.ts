/**
 * `JobRequests` sends the requests of one job: the same bytes on every path, made once from the record, so that a peel
 * can tell a repeat from anything else. Bound: a target gets at most `SENDS_PER_TARGET_MAX` because it appeared, which is
 * what one that keeps coming and going costs; the sends of the ack window and after are bounded by their intervals
 * (watch-times.ts).
 */
import { execRequestOf } from '../../core/jobs/exec-request.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import type { MasterContext } from '../master-context.ts';
import type { OwnedJob } from '../watch/owned-job.ts';

const SENDS_PER_TARGET_MAX = 16;
const PEELS_SHOWN_MAX = 20;

export class JobRequests {
  private readonly context: Pick<MasterContext, 'runtime' | 'sender'>;
  private readonly jid: Jid;
  private readonly bytes: Uint8Array;
  private readonly sends = new Map<PeelId, number>();

  constructor(context: Pick<MasterContext, 'runtime' | 'sender'>, owned: OwnedJob) {
    this.context = context;
    this.jid = owned.job.jid;
    this.bytes = execRequestCodec.encode(execRequestOf(owned.job, owned.execEpoch));
  }

  /** To each of these, as far as it can be done now. Who got none stays silent, and is sent to on the next occasion. */
  async sendTo(peels: readonly PeelId[]): Promise<void> {
    const due = peels.filter((peel) => this.sendsTo(peel) < SENDS_PER_TARGET_MAX);
    for (const peel of await this.send(due, 'warn')) this.sends.set(peel, this.sendsTo(peel) + 1);
  }

  /** Because the ack window, or the interval after it, has passed. The log tells of the first time. */
  async resendTo(silent: readonly PeelId[], round: number): Promise<void> {
    const message = 're-dispatched job to silent targets (no ack or return within ack window)';
    const level = round === 1 ? 'warn' : 'debug';
    this.tell(level, message, silent);
    await this.send(silent, level);
  }

  /** Resolves to those it could be done for. */
  private async send(peels: readonly PeelId[], level: 'debug' | 'warn'): Promise<readonly PeelId[]> {
    const { sent, keyless, failed } = await this.context.sender.send(this.bytes, peels);
    this.tell(
      level,
      'no curve key of these targets is known; they get the job when their facts appear',
      keyless,
    );
    this.tell(level, 'requests to these targets could not be published', failed);
    return sent;
  }

  private sendsTo(peel: PeelId): number {
    return this.sends.get(peel) ?? 0;
  }

  private tell(level: 'debug' | 'warn', message: string, peels: readonly PeelId[]): void {
    if (peels.length === 0) return;
    const fields = { jid: this.jid, targets: peels.length, peels: peels.slice(0, PEELS_SHOWN_MAX) };
    this.context.runtime.log[level](message, fields);
  }
}
