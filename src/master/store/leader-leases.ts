/**
 * The leader leases say which master does the things that one does for all: publish files, seal the secrets of peels, and look
 * after the account documents of the NATS servers.
 *
 * A lease only saves double work: a master that was frozen may think for a moment that it still leads. So whoever writes
 * under it fences each write, with `token` (bus/kv/fenced-write.ts) or by what is written: sealed secrets name the
 * settings they are from. Given back at a graceful stop, so that the next one leads at once.
 */
import { holdLease, type Lease } from '../../bus/kv/lease.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { ACCOUNTS_LEASE_KEY, FACTS_SECRETS_LEASE_KEY, PUBLISHER_LEASE_KEY } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';

export const LEADER_LEASES = [PUBLISHER_LEASE_KEY, FACTS_SECRETS_LEASE_KEY, ACCOUNTS_LEASE_KEY] as const;
export type LeaderLeaseName = (typeof LEADER_LEASES)[number];

export interface LeaderLeases {
  /** Fencing token: grows with every holder; undefined while another leads. */
  token(name: LeaderLeaseName): number | undefined;
  held(): LeaderLeaseName[];
  /** A master has left: its leases are free. */
  hurry(): void;
  stop(): Promise<void>;
}

/** `changed`: one was gained or lost. */
export function holdLeaderLeases(
  { bus, identity, runtime }: Pick<MasterContext, 'bus' | 'identity' | 'runtime'>,
  changed: (name: LeaderLeaseName) => void = () => undefined,
): LeaderLeases {
  const bucket = bus.bucket(BUCKETS.leases.name);
  const leases = new Map<LeaderLeaseName, Lease>(
    LEADER_LEASES.map((key) => [
      key,
      holdLease({
        bucket,
        key,
        holder: identity.masterId,
        ttlMs: BUCKETS.leases.ttlMs,
        runtime,
        onChange: () => changed(key),
      }),
    ]),
  );
  return {
    token: (name) => leases.get(name)?.revision(),
    held: () => LEADER_LEASES.filter((name) => leases.get(name)?.held() === true),
    hurry() {
      for (const lease of leases.values()) lease.hurry();
    },
    async stop() {
      await Promise.all([...leases.values()].map((lease) => lease.stop()));
    },
  };
}
