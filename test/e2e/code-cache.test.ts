/** The code cache of bin/code-cache.cjs: used where it fits, and never in the way. */
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getuid } from 'node:process';
import type { Script } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROOT, scratchDir, start } from '../harness/programs/program.ts';

interface CodeCache {
  run(bundle: string): Script;
  cachePath(bundle: string): string;
  sealed(bundle: Uint8Array, code: Uint8Array): Buffer;
}

const { run, cachePath, sealed } = createRequire(import.meta.url)(
  join(ROOT, 'bin/code-cache.cjs'),
) as CodeCache;

const DIGEST_BYTES = 32;
const bundleSaying = (word: string) =>
  `"use strict"; function say() { globalThis.codeCacheSaid = [${JSON.stringify(word)}, __filename]; } say();`;

/** A bundle that was built: with its cache beside it. */
function built(word = 'hello') {
  const bundle = join(scratchDir(), 'program.cjs');
  writeFileSync(bundle, bundleSaying(word), { mode: 0o644 });
  const code = run(bundle).createCachedData();
  const cache = sealed(readFileSync(bundle), code);
  writeFileSync(cachePath(bundle), cache, { mode: 0o644 });
  return { bundle, code, cache };
}

type Fate = 'not given' | 'taken' | 'rejected';
const fateOf = (rejected: unknown): Fate =>
  rejected === undefined ? 'not given' : rejected === true ? 'rejected' : 'taken';

/** What the program said, and what became of its cache. */
function outcome(bundle: string) {
  const world = globalThis as { codeCacheSaid?: readonly string[] };
  delete world.codeCacheSaid;
  const { cachedDataRejected } = run(bundle);
  return { said: world.codeCacheSaid, cache: fateOf(cachedDataRejected) };
}

/** The same in a process of its own: V8 remembers what it has compiled in this one. */
async function outcomeElsewhere(bundle: string, ...words: string[]) {
  const script = `
    const { run } = require(${JSON.stringify(join(ROOT, 'bin/code-cache.cjs'))});
    let rejected;
    process.on('exit', () => console.error(JSON.stringify({ said: globalThis.codeCacheSaid, rejected })));
    process.argv.splice(1, 1, ...${JSON.stringify([bundle, ...words])});
    rejected = run(process.argv[1]).cachedDataRejected;`;
  const { code, out, err } = await start(process.execPath, ['-e', script, '--', '']).ended;
  const { said, rejected } = JSON.parse(err) as { said?: readonly string[]; rejected?: boolean };
  return { code, out, said, cache: fateOf(rejected) };
}

describe('the code cache', () => {
  it('is taken where it fits', async () => {
    const { bundle } = built();
    expect(await outcomeElsewhere(bundle)).toMatchObject({ said: ['hello', bundle], cache: 'taken' });
  });

  it('is not needed', () => {
    const bundle = join(scratchDir(), 'program.cjs');
    writeFileSync(bundle, bundleSaying('hello'));
    expect(outcome(bundle)).toEqual({ said: ['hello', bundle], cache: 'not given' });
  });

  it('is not given to V8, which would crash on it, when one byte anywhere is another', () => {
    const { bundle, cache } = built();
    fc.assert(
      fc.property(fc.nat(cache.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = Buffer.from(cache);
        other[at] = (other[at] ?? 0) ^ change;
        writeFileSync(cachePath(bundle), other);
        expect(outcome(bundle)).toEqual({ said: ['hello', bundle], cache: 'not given' });
      }),
    );
  });

  it('is not given to V8 when a part is missing', () => {
    const { bundle, cache } = built();
    for (const length of [0, 1, DIGEST_BYTES, DIGEST_BYTES + 1, cache.length - 1]) {
      writeFileSync(cachePath(bundle), cache.subarray(0, length));
      expect(outcome(bundle).cache).toBe('not given');
    }
  });

  it('of another bundle of the same length is not run', () => {
    const { bundle } = built('hello');
    writeFileSync(bundle, bundleSaying('HELLO'));
    expect(outcome(bundle)).toEqual({ said: ['HELLO', bundle], cache: 'not given' });
  });

  it('of another V8 is rejected by V8, and the bundle runs', async () => {
    const { bundle, code } = built();
    // The second word is a hash of the version.
    const foreign = Buffer.from(code);
    foreign.writeUInt32LE((foreign.readUInt32LE(4) ^ 0xffff) >>> 0, 4);
    writeFileSync(cachePath(bundle), sealed(readFileSync(bundle), foreign));
    expect(await outcomeElsewhere(bundle)).toMatchObject({ said: ['hello', bundle], cache: 'rejected' });
  });

  it('that somebody else may write to is not read', () => {
    const { bundle } = built();
    for (const mode of [0o664, 0o646]) {
      chmodSync(cachePath(bundle), mode);
      expect(outcome(bundle).cache).toBe('not given');
    }
    chmodSync(bundle, 0o664);
    chmodSync(cachePath(bundle), 0o664);
    expect(outcome(bundle).cache).toBe('taken');
  });

  it.runIf(getuid?.() === 0)('of another owner is not read', () => {
    const { bundle } = built();
    chownSync(cachePath(bundle), 65_534, 65_534);
    expect(outcome(bundle).cache).toBe('not given');
  });

  it.runIf(getuid?.() === 0)('of another group is not read, though each may be written by its group', () => {
    const { bundle } = built();
    for (const path of [bundle, cachePath(bundle)]) chmodSync(path, 0o664);
    expect(outcome(bundle).cache).toBe('taken');
    chownSync(cachePath(bundle), 0, 65_534);
    expect(outcome(bundle).cache).toBe('not given');
  });
});

describe.each(['zester', 'zester-master', 'zester-peel'])('%s', (name) => {
  it('is built with a cache that this Node takes', async () => {
    const bundle = join(ROOT, 'dist', `${name}.cjs`);
    const { code, out, cache } = await outcomeElsewhere(bundle, '--version');
    expect(cache).toBe('taken');
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^${name} \\d`))]);
  });
});
