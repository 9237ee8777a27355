/**
 * Facts are what one peel says of itself, under `facts/<peel>`, so nothing that grants a right may rest on them. The
 * peel writes after it connects and when something changed; masters index.
 */
import { bareCodec, type Codec } from '../msgpack/codec.ts';
import { valueMap } from '../msgpack/field-types.ts';
import type { WireMap } from '../msgpack/wire-value.ts';

/** Names at the top level that mean something to Zester itself. Others are what collectors and operators put there. */
export const FACT_KEYS = {
  /** Curve public key of the peel (`X…` text): to it its secrets are sealed. */
  curvePublicKey: '_curve_public_key',
  /** Version of the peel program. */
  version: 'zester_version',
  /** Protocol the peel speaks. */
  protocol: 'protocol_version',
  /** Name, family, platform, version, architecture, kernel. */
  os: 'os',
  /** Counts, model, vendor. */
  cpu: 'cpu',
  /** Bytes; 64-bit. */
  memory: 'memory',
  /** Mounts with sizes in bytes. */
  disk: 'disk',
  /** Host name, addresses, interfaces. */
  network: 'network',
  /** The address of the default route. */
  defaultIpv4: 'default_ipv4',
} as const;

export const factsCodec: Codec<WireMap> = bareCodec(
  'Facts',
  'What a peel says of itself, as a nested map.',
  valueMap,
);
