/**
 * `DoorLimits` bounds what strangers can cost a master at its enrollment door: connections, requests and waiting streams, of all and
 * of one network (`clientNetwork`). Whoever is over a limit is refused before anything is read or written. Pure: `nowMs` is any
 * clock that does not go back.
 *
 * The rate of one network lets a rack of 1,000 machines behind one address join within a minute: five requests for each. All
 * networks together have `NETWORKS_AT_FULL_RATE` times that, which is what the store can bear. Bound of the memory:
 * `NETWORKS_MAX`; the network that was quiet longest is forgotten and begins anew.
 */
import { LruMap } from '../../lru-map.ts';
import { RateBudget } from '../../rate-budget.ts';

export interface DoorBounds {
  /** Requests of one network in a second; as many as come in `BURST_SECONDS` may come at once. */
  readonly perSecond: number;
  readonly connectionsMax: number;
  readonly connectionsOfNetworkMax: number;
  readonly streamsMax: number;
  readonly streamsOfNetworkMax: number;
}

export const DOOR_BOUNDS: DoorBounds = {
  perSecond: 100,
  connectionsMax: 2_048,
  connectionsOfNetworkMax: 1_024,
  streamsMax: 512,
  streamsOfNetworkMax: 16,
};

const BURST_SECONDS = 5;
const NETWORKS_AT_FULL_RATE = 4;
const NETWORKS_MAX = 10_000;

export class DoorLimits {
  readonly connections: OpenCount;
  readonly streams: OpenCount;
  private readonly perSecond: number;
  private readonly networks = new LruMap<string, RateBudget>(NETWORKS_MAX);
  private readonly all: RateBudget;

  constructor(bounds: DoorBounds = DOOR_BOUNDS) {
    this.perSecond = bounds.perSecond;
    this.connections = new OpenCount(bounds.connectionsMax, bounds.connectionsOfNetworkMax);
    this.streams = new OpenCount(bounds.streamsMax, bounds.streamsOfNetworkMax);
    this.all = budgetOf(bounds.perSecond * NETWORKS_AT_FULL_RATE);
  }

  /** 0 when the request is taken; otherwise in how many milliseconds another one may be. */
  request(network: string, nowMs: number): number {
    const own = this.networks.getOrMake(network, () => budgetOf(this.perSecond));
    const waitMs = Math.max(own.waitMs(nowMs), this.all.waitMs(nowMs));
    if (waitMs > 0) return waitMs;
    own.take(nowMs);
    this.all.take(nowMs);
    return 0;
  }
}

/** Counts what is open, of all and of each network. */
export class OpenCount {
  private readonly max: number;
  private readonly ofNetworkMax: number;
  private readonly ofNetwork = new Map<string, number>();
  private total = 0;

  constructor(max: number, ofNetworkMax: number) {
    this.max = max;
    this.ofNetworkMax = ofNetworkMax;
  }

  get size(): number {
    return this.total;
  }

  of(network: string): number {
    return this.ofNetwork.get(network) ?? 0;
  }

  /** False at a limit; otherwise it is counted until `close`. */
  open(network: string): boolean {
    const own = this.of(network);
    if (this.total >= this.max || own >= this.ofNetworkMax) return false;
    this.total += 1;
    this.ofNetwork.set(network, own + 1);
    return true;
  }

  close(network: string): void {
    const own = this.of(network) - 1;
    this.total -= 1;
    if (own > 0) this.ofNetwork.set(network, own);
    else this.ofNetwork.delete(network);
  }
}

function budgetOf(perSecond: number): RateBudget {
  return new RateBudget({ burst: perSecond * BURST_SECONDS, perSecond });
}
