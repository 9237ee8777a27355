/** Fleet events are what happens to a local fleet that a person may want to know, beside how its start ends. */
export type FleetEvent =
  /** A nats-server is looked for; `said` is what is done about it. */
  | { readonly kind: 'server-search'; readonly said: string }
  /** Masters and peels that have not shown themselves yet. */
  | { readonly kind: 'waiting'; readonly missing: readonly string[] }
  /** The servers of a cluster have not all found each other in time. */
  | { readonly kind: 'servers-apart'; readonly count: number }
  /** One server of a cluster is not started any more; the fleet goes on without it. */
  | { readonly kind: 'server-lost'; readonly name: string; readonly error: Error };
