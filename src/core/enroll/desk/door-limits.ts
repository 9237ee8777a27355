/**
 * `DoorLimits` bounds what strangers can cost a master at its enrollment door: connections, handshakes, requests and waiting streams, of
 * all and of one network (`clientNetwork`). Whoever is over a limit is refused before anything is read or written. Pure: `nowMs`
 * is any clock that does not go back.
 *
 * The rate of one network lets a rack of 1,000 machines behind one address join within a minute: five requests for each. All
 * networks together have `NETWORKS_AT_FULL_RATE` times that, which is what the store can bear. A handshake costs more than most
 * requests, and whoever begins one need not ask anything: connections have a rate of their own, `HANDSHAKES_FOR_REQUEST` times
 * that of requests, so that who is a little too fast is told so by an answer and not by a closed door. One network cannot take more
 * than an eighth of the connections. Bound of the memory: `NETWORKS_MAX`; the network that was quiet longest is forgotten and begins
 * anew.
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
  connectionsMax: 8_192,
  connectionsOfNetworkMax: 1_024,
  streamsMax: 512,
  streamsOfNetworkMax: 16,
};

const BURST_SECONDS = 5;
const NETWORKS_AT_FULL_RATE = 4;
const HANDSHAKES_FOR_REQUEST = 2;
const NETWORKS_MAX = 10_000;

export class DoorLimits {
  readonly connections: OpenCount;
  readonly streams: OpenCount;
  private readonly requests: NetworkRates;
  private readonly handshakes: NetworkRates;

  constructor(bounds: DoorBounds = DOOR_BOUNDS) {
    this.connections = new OpenCount(bounds.connectionsMax, bounds.connectionsOfNetworkMax);
    this.streams = new OpenCount(bounds.streamsMax, bounds.streamsOfNetworkMax);
    const { perSecond } = bounds;
    const ofAll = perSecond * NETWORKS_AT_FULL_RATE;
    this.requests = new NetworkRates(perSecond, ofAll);
    this.handshakes = new NetworkRates(perSecond * HANDSHAKES_FOR_REQUEST, ofAll);
  }

  /** 0 when the request is taken; otherwise in how many milliseconds another one may be. */
  request(network: string, nowMs: number): number {
    return this.requests.take(network, nowMs);
  }

  /** Whether a handshake may begin. */
  handshake(network: string, nowMs: number): boolean {
    return this.handshakes.take(network, nowMs) === 0;
  }
}

/** What all may do in a second, and each network. */
class NetworkRates {
  private readonly perSecond: number;
  private readonly networks = new LruMap<string, RateBudget>(NETWORKS_MAX);
  private readonly all: RateBudget;

  constructor(perSecond: number, ofAll: number) {
    this.perSecond = perSecond;
    this.all = budgetOf(ofAll);
  }

  /** 0 when it is taken; otherwise how long it is until one may be. Who is over the own rate costs the others nothing. */
  take(network: string, nowMs: number): number {
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
