/**
 * The shape of a cluster is put together here from what its servers say of themselves: who is there, who counts for
 * JetStream, and how many there should be. Masters decide by it how many copies to ask for, and doctor whether the
 * cluster is whole.
 *
 * These numbers can differ. JetStream keeps what it stores on the members of its meta group only. A server becomes one
 * some time after it has connected, and now and then never: three fresh servers that start at the same moment may end
 * with a meta group of two and a third that looks healthy. So the size of the meta group alone is not the cluster.
 */

/** One server, by its own word. */
export interface ServerShape {
  readonly name: string;
  /** False on a server that only passes messages on: it counts for no copies. */
  readonly hasJetStream: boolean;
  /** Members of the meta group, those that are away included; 1 without a cluster. */
  readonly metaSize: number;
  /** Empty while there is none, and without a cluster. */
  readonly metaLeader: string;
  /** The other members; only the leader lists them. */
  readonly metaPeers: readonly string[];
  /** Addresses of other servers in its configuration. */
  readonly routes: readonly string[];
}

export interface ClusterShape {
  /** Servers with JetStream that answered, sorted. */
  readonly seen: readonly string[];
  /** Members of the meta group, those that are away included. */
  readonly metaSize: number;
  /** Who they are, sorted; undefined when the leader did not say. */
  readonly members: readonly string[] | undefined;
  /** How many servers the configured routes speak of; 0 without routes. */
  readonly named: number;
}

export function clusterShape(servers: readonly ServerShape[]): ClusterShape {
  const storing = servers.filter(({ hasJetStream }) => hasJetStream);
  const leader = storing.find(({ name, metaLeader }) => name === metaLeader);
  return {
    seen: [...new Set(storing.map(({ name }) => name))].sort(),
    // Servers that lag still say what it was before; a leader knows best.
    metaSize: leader?.metaSize ?? Math.max(1, ...storing.map(({ metaSize }) => metaSize)),
    members: leader === undefined ? undefined : [leader.name, ...leader.metaPeers].sort(),
    named: serversNamed(storing.map(({ routes }) => routes)),
  };
}

/** Servers there are to keep copies on, now or as soon as they are back. */
export function serverCount({ seen, metaSize }: ClusterShape): number {
  return Math.max(seen.length, metaSize);
}

/** Members of the meta group that did not answer, as far as its leader names them. */
export function serversAway({ seen, members = [] }: ClusterShape): readonly string[] {
  return members.filter((name) => !seen.includes(name));
}

/**
 * A list may leave its own server out, so that only all lists together name all. But where the same server has one name
 * here and another there, together they say too much: no more than the longest list and its owner are sure.
 */
function serversNamed(lists: readonly (readonly string[])[]): number {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  if (longest === 0) return 0;
  return Math.min(new Set(lists.flat()).size, longest + 1);
}
