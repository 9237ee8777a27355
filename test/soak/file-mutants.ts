/**
 * The mutants of files, settings and secrets: broken versions of what keeps a published tree whole, keeps a failover from
 * publishing an old one, and keeps secrets in their seals. Part of the table in `sim-mutants.ts`.
 */
import type { FileSetSeal } from '../../src/bus/file-set/file-set.ts';
import type { Bucket, Bus } from '../../src/bus/port.ts';
import { MANIFEST_KEY, REVISION_KEY, SPREAD_KEY } from '../../src/wire/names/keys.ts';
import { revisionCodec } from '../../src/wire/records/file-set.ts';
import type { Mutant } from './sim-mutants.ts';

// biome-ignore lint/suspicious/noExplicitAny: a mutant takes functions of many modules in its hands.
type Any = any;

const PUBLISHER = { module: 'src/bus/file-set/publish-file-set.ts', replaces: 'filePublisher' };
const STANDING = { module: 'src/core/files/source-standing.ts', replaces: 'sourceStanding' };
const EXTRACTION = { module: 'src/core/settings/extract-settings.ts', replaces: 'extractSettings' };
const SEALING = { module: 'src/core/settings/plan-seal.ts', replaces: 'planSeal' };
const MIRROR = { module: 'src/mirror/tree-store.ts', replaces: 'openTreeStore' };

const withBuckets = (bus: Bus, change: (bucket: Bucket) => Partial<Bucket>): Bus => ({
  ...bus,
  bucket: (name) => {
    const bucket = bus.bucket(name);
    return { ...bucket, ...change(bucket) };
  },
});

/** Contents wait until the list of them is written. */
function filesLate(bucket: Bucket): Partial<Bucket> {
  const late: (() => Promise<unknown>)[] = [];
  const listed = async (key: string, write: () => ReturnType<Bucket['create']>) => {
    const outcome = await write();
    if (key === MANIFEST_KEY) for (const put of late.splice(0)) await put();
    return outcome;
  };
  return {
    put: async (key, value) => {
      if (key === SPREAD_KEY) return bucket.put(key, value);
      late.push(() => bucket.put(key, value));
      return 0;
    },
    create: (key, value) => listed(key, () => bucket.create(key, value)),
    update: (key, value, revision) => listed(key, () => bucket.update(key, value, revision)),
  };
}

/** The list waits until the revision is written. */
function manifestLate(bucket: Bucket): Partial<Bucket> {
  let late: Uint8Array | undefined;
  const write = async (key: string, value: Uint8Array, now: () => ReturnType<Bucket['create']>) => {
    if (key === MANIFEST_KEY) {
      late = value;
      return { won: true as const, revision: 1 };
    }
    const outcome = await now();
    if (key === REVISION_KEY && outcome.won && late !== undefined) await bucket.put(MANIFEST_KEY, late);
    late = undefined;
    return outcome;
  };
  return {
    create: (key, value) => write(key, value, () => bucket.create(key, value)),
    update: (key, value, revision) => write(key, value, () => bucket.update(key, value, revision)),
  };
}

/** A publisher that publishes an empty tree like any other. */
function wiping(filePublisher: Any) {
  return (bus: Bus, spec: Any, ...rest: Any[]) => {
    const real = filePublisher(bus, spec, ...rest);
    const bucket = bus.bucket(spec.bucket.name);
    return {
      ...real,
      async publish(files: readonly unknown[], options: unknown) {
        const read = await bucket.get(REVISION_KEY);
        if (files.length > 0 || !read.found) return real.publish(files, options);
        const revision = revisionCodec.decode(read.value) + 1;
        await bucket.put(MANIFEST_KEY, spec.manifest.encode([]));
        await bucket.put(REVISION_KEY, revisionCodec.encode(revision));
        return { is: 'published', revision, written: 0, bytes: 0, removed: 0, notRemoved: 0 };
      },
    };
  };
}

const seesNothing = { unwrap: (stored: Uint8Array) => stored } as Partial<FileSetSeal>;

export const FILE_MUTANTS: readonly Mutant[] = [
  {
    ...PUBLISHER,
    name: 'files before their manifest',
    broken:
      (filePublisher) =>
      (bus, ...rest) =>
        filePublisher(withBuckets(bus, filesLate), ...rest),
  },
  {
    ...PUBLISHER,
    name: 'manifest before its revision',
    broken:
      (filePublisher) =>
      (bus, ...rest) =>
        filePublisher(withBuckets(bus, manifestLate), ...rest),
  },
  {
    name: 'hash check on fetched files',
    module: 'src/bus/file-set/read-file-set.ts',
    replaces: 'fetchFile',
    broken: (fetchFile) => (bus, spec, file, seal) =>
      fetchFile(bus, spec, file, { ...(seal ?? seesNothing), digest: () => file.sha256 }),
  },
  {
    ...MIRROR,
    name: 'one tree for a run',
    broken: (openTreeStore) => async (parts) => {
      const store = await openTreeStore(parts);
      return {
        ...store,
        async pin() {
          const tree = await store.pin();
          tree?.release();
          return tree && { ...tree, directory: parts.cache };
        },
      };
    },
  },
  {
    ...MIRROR,
    name: 'sync of a tree before it is used',
    broken: (openTreeStore) => (parts) =>
      openTreeStore({ ...parts, files: { ...parts.files, sync: async () => undefined } }),
  },
  {
    name: 'mark on a mirror that is replaced in place',
    module: 'src/mirror/tree-in-place.ts',
    replaces: 'TreeInPlace.mark',
    broken: () => async () => undefined,
  },
  {
    ...STANDING,
    name: 'empty source never wipes',
    // Two guards keep watch over it, so both are broken.
    broken: (sourceStanding) => (facts) => {
      const standing = sourceStanding(facts);
      const isEmptied = standing.is === 'wait' && standing.why === 'emptied';
      return isEmptied && facts.isPublisher ? { is: 'publish', why: 'edit' } : standing;
    },
    also: [{ ...PUBLISHER, broken: wiping }],
  },
  {
    ...STANDING,
    name: 'three-way comparison of trees',
    broken: (sourceStanding) => (facts) => {
      const standing = sourceStanding(facts);
      const isBehind = standing.is === 'update directory' && standing.why === 'behind';
      return isBehind && facts.isPublisher ? { is: 'publish', why: 'edit' } : standing;
    },
  },
  {
    name: 'check for placeholders that are left',
    module: 'src/core/settings/secret-placeholders.ts',
    replaces: 'substituteSecrets',
    broken:
      (substituteSecrets) =>
      (...args) => ({ ...substituteSecrets(...args), missing: [] }),
  },
  {
    ...SEALING,
    name: 'fingerprint of sealed secrets',
    broken:
      (planSeal) =>
      (...args) => {
        const plan = planSeal(...args);
        return plan.is === 'keep' ? { is: 'write', former: [] } : plan;
      },
  },
  {
    ...SEALING,
    name: 'sealed secrets of newer settings stay',
    broken: (planSeal) => (read, wanted, choice) =>
      planSeal(read, { ...wanted, settingsRevision: Number.MAX_SAFE_INTEGER }, choice),
  },
  {
    ...EXTRACTION,
    name: 'extraction of secrets',
    broken:
      (extractSettings) =>
      (files, ...rest) => ({ ...extractSettings(files, ...rest), files }),
  },
  {
    ...EXTRACTION,
    name: 'secrets only for peels whose top file matches',
    broken:
      (extractSettings) =>
      (...args) => {
        const extraction = extractSettings(...args);
        const all = new Map(extraction.secrets.map(({ path, value }: Any) => [path, value]));
        return { ...extraction, secretsOf: () => all };
      },
  },
  {
    name: 'no secrets in state files',
    module: 'src/core/settings/find-secrets.ts',
    replaces: 'refuseSecretsInStates',
    broken: () => () => undefined,
  },
  {
    name: 'redaction of what leaves a peel',
    module: 'src/peel/returns/redacted-return.ts',
    replaces: 'redactedReturn',
    broken: () => (made) => made,
  },
];
