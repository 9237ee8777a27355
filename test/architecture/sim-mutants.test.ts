/**
 * The mutants of the simulator still reach what they break. The soak finds out in an hour, by a mutant that is not found;
 * this test says it at the rename.
 */
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTable } from '../../src/bus/kv/table.ts';
import type { Bus } from '../../src/bus/port.ts';
import { jobCodec } from '../../src/wire/records/job.ts';
import { TABLES } from '../../src/wire/records/tables.ts';
import { JID } from '../fixtures/go/samples.ts';
import { MasterWorld } from '../harness/master/master-world.ts';
import { type Break, breaksOf, MUTANTS, type Mutant } from '../soak/sim-mutants.ts';
import { sourceFiles } from './source-files.ts';

const NAMED_IMPORT = /import\s+\{([^}]*)\}\s+from\s+'(\.[^']+)'/g;

const FIRST = jobCodec.create({ jid: JID, status: 'pending' });
const SECOND = { ...FIRST, reclaimCount: 1 };
const STALE = 1_000_000;

describe('a mutant of the simulator', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    'replaces something that is there: %s',
    async (_, mutant) => {
      for (const { module, replaces } of breaksOf(mutant)) {
        const [name = '', method] = replaces.split('.');
        const exported = ((await import(resolve(module))) as Record<string, { prototype?: object }>)[name];
        expect(exported).toBeTypeOf('function');
        if (method !== undefined)
          expect(Reflect.get(exported?.prototype ?? {}, method)).toBeTypeOf('function');
      }
    },
  );

  /** A method is replaced for all; but a module calls its own functions directly, past the loader. */
  it('replaces a function that another module imports', () => {
    const functions = MUTANTS.flatMap(breaksOf).filter(({ replaces }) => !replaces.includes('.'));
    const imported = importedNames();
    const isImported = ({ module, replaces }: Break) => imported.has(`${module} ${replaces}`);
    expect(functions.filter((each) => !isImported(each)).map(({ replaces }) => replaces)).toEqual([]);
  });

  it('breaks each function of a module only once', () => {
    const modules = (mutant: Mutant) => breaksOf(mutant).map(({ module }) => module);
    expect(MUTANTS.filter((mutant) => new Set(modules(mutant)).size < modules(mutant).length)).toEqual([]);
  });

  it('lets a stale write of a record win', async () => {
    const { settled, healthy, broken } = await jobsSeenBy('ownership-epoch fence on record writes');
    await settled(healthy.createOrRead(JID, FIRST));
    expect(await settled(healthy.updateOrRead(JID, SECOND, STALE))).toMatchObject({ isOurs: false });
    expect(await settled(broken.updateOrRead(JID, SECOND, STALE))).toMatchObject({ isOurs: true });
  });

  it('lets a second claim win', async () => {
    const { settled, healthy, broken } = await jobsSeenBy('CAS on claim');
    await settled(healthy.createOrRead(JID, FIRST));
    expect(await settled(healthy.createOrRead(JID, SECOND))).toMatchObject({ isOurs: false });
    expect(await settled(broken.createOrRead(JID, SECOND))).toMatchObject({ isOurs: true });
  });
});

/** `module name` for each name that a file of the product takes from another, types aside. */
function importedNames(): ReadonlySet<string> {
  return new Set(
    sourceFiles().flatMap(({ path, code }) =>
      [...code.matchAll(NAMED_IMPORT)].flatMap(([, names = '', specifier = '']) => {
        const module = relative(resolve('.'), resolve(dirname(path), specifier));
        return names.split(',').map((name) => `${module} ${name.trim()}`);
      }),
    ),
  );
}

/** The records of jobs in one store, as a healthy master and as the mutant writes them. */
async function jobsSeenBy(mutant: string) {
  const world = new MasterWorld();
  await world.master();
  const bus = world.connectMaster();
  await world.settled(bus.connected(), 'a line');
  const brokenContext = MUTANTS.find(({ name }) => name === mutant)?.broken((ports: unknown) => ports);
  const brokenPorts = brokenContext?.({ bus }) as { readonly bus: Bus };
  return {
    settled: <T>(written: Promise<T>) => world.settled(written, 'a write'),
    healthy: openTable(bus, TABLES.jobs),
    broken: openTable(brokenPorts.bus, TABLES.jobs),
  };
}
