/**
 * Collects all facts of this machine into one map. It looks at /proc, /sys and /etc through the System port; the only
 * program it starts is `df`, for sizes of disks.
 *
 * A collector that fails costs its own part and a line in the log, never the others: what was known of that part before
 * stays, and without a before it is absent. A file that is not there is no failure; the facts from it are absent.
 *
 * Each name at the top belongs to one collector. Those that Zester fills itself are `FACT_KEYS`; all others are custom
 * facts, so a custom fact can neither replace `os` nor outlive its line in the file.
 */
import { isReservedFact } from '../../modules/facts/fact-path.ts';
import type { Log } from '../../runtime/log.ts';
import type { System } from '../../system/system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';
import { cpuFacts } from './cpu-facts.ts';
import { CUSTOM_FACTS_FILE, readCustomFacts } from './custom-facts.ts';
import { diskFacts } from './disk-facts.ts';
import { knownFacts } from './machine-text.ts';
import { memoryFacts } from './memory-facts.ts';
import { defaultAddressFacts, networkFacts } from './network-facts.ts';
import { osFacts } from './os-facts.ts';

/** How often the peel should look at the machine, and at the custom facts file. */
export const MACHINE_REFRESH_MS = 300_000;
export const CUSTOM_REFRESH_MS = 30_000;

export type FactsMachine = Pick<System, 'files' | 'processes'>;

export interface FactsOptions {
  readonly log: Log;
  /** What the program knows of itself. */
  readonly own: OwnFacts;
  /** Default `CUSTOM_FACTS_FILE`. */
  readonly customFile?: string;
}

export interface OwnFacts {
  readonly version: string;
  readonly protocol: number;
  /** `X…` text. Undefined as long as there is no key. */
  readonly curvePublicKey: string | undefined;
}

export type CollectorName = 'os' | 'cpu' | 'memory' | 'disk' | 'network' | 'default_ipv4' | 'custom';

/** `previous` is what the facts were; what `only` leaves out, or what fails, is taken from there. */
export async function collectFacts(
  machine: FactsMachine,
  options: FactsOptions,
  { previous = {}, only }: { readonly previous?: WireMap; readonly only?: readonly CollectorName[] } = {},
): Promise<WireMap> {
  const parts: WireMap[] = [];
  for (const collector of COLLECTORS) {
    const fresh =
      only?.includes(collector.name) === false ? undefined : await tryTo(collector, machine, options);
    parts.push(fresh ?? partOf(collector, previous));
  }
  return Object.assign({}, ...parts, ownFacts(options.own)) as WireMap;
}

interface Collector {
  readonly name: CollectorName;
  /** Whether a name at the top is from this collector. */
  readonly fills: (key: string) => boolean;
  readonly collect: (machine: FactsMachine, options: FactsOptions) => Promise<WireMap>;
}

const COLLECTORS: readonly Collector[] = [
  namespace('os', ({ files }) => osFacts(files)),
  namespace('cpu', ({ files }) => cpuFacts(files)),
  namespace('memory', ({ files }) => memoryFacts(files)),
  namespace('disk', (machine, { log }) =>
    diskFacts(machine, (error) => log.warn('facts: sizes of disks are not known', { error })),
  ),
  namespace('network', ({ files }) => networkFacts(files)),
  {
    name: 'default_ipv4',
    fills: (key) => key === FACT_KEYS.defaultIpv4,
    collect: ({ files }) => defaultAddressFacts(files),
  },
  {
    name: 'custom',
    fills: (key) => !isReservedFact(key),
    collect: ({ files }, { customFile = CUSTOM_FACTS_FILE }) => readCustomFacts(files, customFile),
  },
];

/** A collector whose facts stand under its own name. */
function namespace(
  name: 'os' | 'cpu' | 'memory' | 'disk' | 'network',
  collect: (machine: FactsMachine, options: FactsOptions) => Promise<WireMap>,
): Collector {
  const key = FACT_KEYS[name];
  return {
    name,
    fills: (candidate) => candidate === key,
    collect: async (machine, options) => {
      const facts = await collect(machine, options);
      return Object.keys(facts).length === 0 ? {} : { [key]: facts };
    },
  };
}

/** Undefined, and a line in the log, when it fails. */
async function tryTo(
  { name, collect }: Collector,
  machine: FactsMachine,
  options: FactsOptions,
): Promise<WireMap | undefined> {
  try {
    return await collect(machine, options);
  } catch (error) {
    options.log.warn('facts: a part could not be collected', { part: name, error });
    return undefined;
  }
}

function partOf({ fills }: Collector, facts: WireMap): WireMap {
  return Object.fromEntries(Object.entries(facts).filter(([key]) => fills(key)));
}

function ownFacts({ version, protocol, curvePublicKey }: OwnFacts): WireMap {
  return knownFacts({
    [FACT_KEYS.version]: version,
    [FACT_KEYS.protocol]: protocol,
    [FACT_KEYS.curvePublicKey]: curvePublicKey,
  });
}
