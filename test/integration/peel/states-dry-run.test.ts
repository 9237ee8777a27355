/**
 * The promise of a dry run, with the real modules on a machine in memory: for random state files and random files on the
 * disk, what `test=True` says of each state is what the apply after it reports, and nothing was touched before. After the
 * apply a revert leaves the disk as it was.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_SETTINGS } from '../../../src/core/settings/resolved-settings.ts';
import { NO_WORDS } from '../../../src/core/target/operator-words.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import { STATE_MODULES } from '../../../src/modules/state-registry.ts';
import { runRequest } from '../../../src/peel/run/run-request.ts';
import { openUndoJournal } from '../../../src/peel/undo/open-undo-journal.ts';
import type { Log } from '../../../src/runtime/log.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import { undoKeyFrom } from '../../../src/trust/undo-key.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import type { ExecResponse, StateResult } from '../../../src/wire/records/exec.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const DISK = '/w';
const PATHS = ['/w/a', '/w/b', '/w/d', '/w/d/c', '/w/l'];

const path = fc.constantFrom(...PATHS);
const word = fc.constantFrom('a', 'b', 'x = 1', '#x = 2', 'a\nb', 'start\nend');
const pattern = fc.constantFrom('^a', 'b', 'x.*', '^#', 'none');
const mode = fc.constantFrom('0600', '0644', '0755');
const flag = fc.boolean();

type Declared = readonly [module: string, args: WireMap];

const declared: fc.Arbitrary<Declared> = fc.oneof(
  of('file.managed', { name: path, contents: word, mode, makedirs: flag, replace: flag }),
  of('file.directory', { name: path, mode, makedirs: flag }),
  of('file.absent', { name: path }),
  of('file.touch', { name: path, makedirs: flag }),
  of('file.symlink', { name: path, target: path, force: flag, makedirs: flag }),
  of('file.copy', { name: path, source: path, force: flag, makedirs: flag }),
  of('file.serialize', {
    name: path,
    dataset: fc.record({ k: word }),
    serializer: fc.constantFrom('json', 'yaml'),
  }),
  of('file.append', { name: path, text: fc.array(word, { minLength: 1, maxLength: 2 }), makedirs: flag }),
  of('file.prepend', { name: path, text: word }),
  of('file.line', { name: path, content: fc.constantFrom('a', 'new'), match: pattern }),
  of('file.line', { name: path, mode: fc.constant('delete'), match: pattern }),
  of('file.replace', { name: path, pattern, repl: fc.constantFrom('y', 'b', ''), append_if_not_found: flag }),
  of('file.blockreplace', {
    name: path,
    content: fc.constantFrom('p', 'q\nr'),
    marker_start: fc.constant('start'),
    marker_end: fc.constant('end'),
    append_if_not_found: flag,
  }),
  of('file.comment', { name: path, regex: pattern }),
  of('file.uncomment', { name: path, regex: pattern }),
  of('file.keyvalue', {
    name: path,
    key: fc.constant('x'),
    value: fc.constantFrom('1', '3'),
    append_if_not_found: flag,
  }),
  of('cmd.run', { name: fc.constantFrom('true', 'echo hi'), creates: fc.option(path, { nil: '' }) }),
  of('cmd.wait', { name: fc.constant('true') }),
  of('module.run', { 'test.echo': fc.constant([{ text: 'hi' }]) }),
  of('cmd.script', { name: fc.constant('zester://tree/f'), creates: fc.option(path, { nil: '' }) }),
  of('file.recurse', { name: path, source: fc.constant('zester://tree'), clean: flag, makedirs: flag }),
  of('test.nop', {}),
  of('test.ping', {}),
  of('test.show_notification', { text: fc.constant('hi') }),
  of('test.check_pillar', { present: fc.constantFrom('set', 'unset') }),
  of('test.configurable_test_state', { result: flag, changes: flag }),
  of('test.succeed_with_changes', {}),
  of('test.succeed_without_changes', {}),
  of('test.fail_with_changes', {}),
  of('test.fail_without_changes', {}),
);

function of(module: string, args: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Declared> {
  return fc.record(args).map((values) => [module, values as WireMap] as const);
}

const requisite = fc.tuple(
  fc.constantFrom('require', 'watch', 'onchanges', 'onfail', 'onchanges_any'),
  fc.nat(),
);

/**
 * As JSON, which is YAML. Each state comes after the one before it whatever that does, because states that run together
 * and touch the same files promise nothing; and it may depend on any before it.
 */
const stateFile = fc
  .array(fc.tuple(declared, fc.option(requisite, { nil: undefined })), { minLength: 1, maxLength: 6 })
  .map((states) => {
    const entries = states.map(([[module, args], needs], index) => {
      const written = Object.entries(args).map(([key, value]) => ({ [key]: value }));
      const after = index === 0 ? [] : [{ require_any: [{ id: `s${index - 1}` }, { id: 'always' }] }];
      const depends =
        needs === undefined || index === 0 ? [] : [{ [needs[0]]: [{ id: `s${needs[1] % index}` }] }];
      return [`s${index}`, { [module]: [...written, ...after, ...depends] }];
    });
    return JSON.stringify({ always: { 'test.nop': [] }, ...Object.fromEntries(entries) }, undefined, 2);
  });

const disk = fc.array(
  fc.tuple(
    path,
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('file' as const), text: word }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'directory' as const }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), target: path }) },
    ),
  ),
  { maxLength: 4 },
);

describe('a dry run with the real modules', () => {
  it('is tried with every state function there is', () => {
    const tried = new Set(fc.sample(declared, { numRuns: 3_000, seed: 1 }).map(([module]) => module));
    expect([...tried].sort()).toEqual(STATE_MODULES.all.map(({ name }) => name));
  });

  it('touches nothing, says what the apply will report, and the apply can be reverted', async () => {
    await fc.assert(
      fc.asyncProperty(stateFile, disk, async (text, things) => {
        const world = await machine(text, things);
        const before = await world.look();
        const foreseen = await world.run({ test: true });
        expect(foreseen).toMatchObject({ test: true, error: '' });
        expect(await world.look()).toEqual(before);
        const applied = await world.run({});
        expect(told(applied, foreseen)).toEqual(told(foreseen, foreseen));
        await world.run({}, 'state.revert', '');
        expect(await world.look()).toEqual(before);
      }),
      { numRuns: Number(process.env.ZESTER_DRY_RUN_CASES ?? 100) },
    );
  }, 120_000);
});

/** What both must say. Of a state that the dry run calls unknown, nothing but its name. */
function told({ results, error }: ExecResponse, { results: foreseen }: ExecResponse) {
  const unknown = new Set(foreseen.filter(isUnknown).map(({ name }) => name));
  return {
    error,
    results: results.map(({ name, changed, diff, error: failure, skipped, skipReason }) =>
      unknown.has(name) ? { name } : { name, changed, diff, failure, skipped, skipReason },
    ),
  };
}

function isUnknown({ details }: StateResult): boolean {
  return details.prediction === 'unknown';
}

type Thing =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'directory' }
  | { readonly kind: 'link'; readonly target: string };

async function machine(text: string, things: readonly (readonly [path: string, thing: Thing])[]) {
  const clock = virtualClock();
  const random = seededRandom(1);
  const system = memorySystem({ clock, random, programs: () => () => 0 });
  const { files } = system;
  const key = async () => undoKeyFrom(random.bytes(32), random);
  const journal = openUndoJournal({ files, dataDir: '/var/lib/zester', key, clock, random });
  await files.makeDirectory('/states');
  await files.makeDirectory('/settings');
  await files.writeAtomic('/states/x.sls', Buffer.from(text));
  await files.writeAtomic('/settings/all.yaml', Buffer.from('set: true\n'));
  await files.makeDirectory('/states/tree');
  for (const name of ['f', 'g']) await files.writeAtomic(`/states/tree/${name}`, Buffer.from(`${name}\n`));
  await files.makeDirectory(DISK);
  for (const [at, thing] of things) await put(at, thing);
  let jobs = 0;

  /** What does not fit what is there already is left away. */
  async function put(at: string, thing: Thing): Promise<void> {
    if ((await files.lstat(at.slice(0, at.lastIndexOf('/'))))?.kind !== 'directory') return;
    if ((await files.lstat(at)) !== undefined) return;
    if (thing.kind === 'file') await files.writeAtomic(at, Buffer.from(thing.text));
    else if (thing.kind === 'directory') await files.makeDirectory(at);
    else await files.symlink({ path: at, target: thing.target });
  }

  return {
    run: (args: WireMap, module = 'state.apply', id = 'x') =>
      runRequest(
        { jid: `2wHyPZTlDs1GYQ6jPnDs7v3${String(++jobs).padStart(4, '0')}` as Jid, module, id, args },
        new AbortController().signal,
        {
          system,
          facts: {
            all: () => ({}),
            words: () => NO_WORDS,
            get: () => undefined,
            setCustom: async () => undefined,
          },
          runtime: { clock, random, log: silent },
          peelId: 'web-01' as PeelId,
          version: '1',
          functions: FUNCTIONS,
          states: {
            modules: STATE_MODULES,
            sources: { bakedDir: '/states', mirror: undefined },
            settings: { use: async () => ({ resolved: NO_SETTINGS, revision: 0, note: '' }) },
            journal,
          },
        },
      ),
    /** Everything below the directory of the test. */
    look: async () =>
      Promise.all(
        ((await files.walk(DISK)) ?? []).map(async ({ path: at, stat: { kind, mode: bits, uid, gid } }) => {
          const there = `${DISK}/${at}`;
          const holds =
            kind === 'file'
              ? Buffer.from((await files.read(there)) ?? []).toString()
              : kind === 'symlink'
                ? await files.readLink(there)
                : '';
          return { at, kind, bits, uid, gid, holds };
        }),
      ),
  };
}
