/**
 * `ShutOut` makes a revocation take effect that stands in a record already, and says how far it got: the account documents (from here
 * on no server lets the key in, and its line is cut), then its keys in the stores. Masters ignore the peel from the record on.
 *
 * If we die in between, the keeper of the accounts and the eraser of any master do the rest; asking again does too. How many servers
 * keep it out is counted by their own answers; how many there are is what they know of one another.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import { type ServersThere, settlingProblem } from '../accounts/account-keeper.ts';
import type { MasterContext } from '../master-context.ts';
import type { PeelEraser } from './peel-eraser.ts';

export interface ShutOutReport {
  /** Servers that have confirmed it. */
  readonly servers: number;
  /** Servers there are, those that are away included; 0: nobody could say. */
  readonly serversKnown: number;
  /** For people: what is not done everywhere yet; empty: all is. */
  readonly warning: string;
}

const MEANWHILE = 'the masters ignore it, and tell the servers again until all have it';

export class ShutOut {
  private readonly context: Pick<MasterContext, 'accounts' | 'runtime'>;
  private readonly eraser: PeelEraser;

  constructor(context: Pick<MasterContext, 'accounts' | 'runtime'>, eraser: PeelEraser) {
    this.context = context;
    this.eraser = eraser;
  }

  async apply(peel: PeelId): Promise<ShutOutReport> {
    const told = await this.tellServers();
    const warnings = [told.warning, await this.eraseKeys(peel)];
    return { ...told, warning: warnings.filter((text) => text !== '').join('; ') };
  }

  private async tellServers(): Promise<ShutOutReport> {
    const { accounts, runtime } = this.context;
    try {
      const [report, there] = await Promise.all([accounts.settle(), accounts.whoIsThere()]);
      const problem = settlingProblem(report) || awayText(report.taken, there);
      return {
        servers: report.taken,
        serversKnown: there.count,
        warning: problem === '' ? '' : `not every server keeps it out yet: ${problem}; ${MEANWHILE}`,
      };
    } catch (error) {
      runtime.log.warn('account documents are not settled', { error });
      const warning = `the servers could not be told yet; ${MEANWHILE}`;
      return { servers: 0, serversKnown: 0, warning };
    }
  }

  private async eraseKeys(peel: PeelId): Promise<string> {
    try {
      await this.eraser.erase(peel);
      return '';
    } catch (error) {
      this.context.runtime.log.warn('the keys of a revoked peel are not erased yet', { peel, error });
      return 'its keys in the stores could not be erased yet';
    }
  }
}

function awayText(taken: number, { count, away }: ServersThere): string {
  const silent = count - taken;
  if (silent <= 0) return '';
  const names = away.length === 0 ? '' : ` (${away.join(', ')})`;
  return `${silent} of ${count} NATS servers did not answer${names}`;
}
