/** The files that people run, where Node is too old or not there. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ROOT, scratchDir, start } from '../harness/programs/program.ts';

const PROGRAMS = ['zester', 'zester-master', 'zester-peel'];
const START = readFileSync(join(ROOT, 'bin/start.cjs'), 'utf8');

/** A directory for PATH with a `node` that says it is of this version, or with none; and with what the script needs. */
function pathWith(version: string | undefined): string {
  const dir = scratchDir();
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  for (const name of ['basename', 'dirname', 'readlink'])
    program(name, `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`);
  if (version === undefined) return bin;
  const claim = join(dir, 'claim.cjs');
  writeFileSync(claim, `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`);
  program('node', `#!/bin/sh\nexec ${process.execPath} -r ${claim} "$@"\n`);
  return bin;
}

const run = (name: string, version: string | undefined) =>
  start(join(ROOT, 'bin', name), ['--version'], { env: { PATH: pathWith(version) } }).ended;

describe.each(PROGRAMS)('%s', (name) => {
  it.each(['18.20.4', '20.18.1', '8.0.0'])('says on Node %s which one it needs', async (version) => {
    const { code, out, err } = await run(name, version);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`${name}: needs Node 20.19 or newer; this is ${version} at ${process.execPath}\n`);
  });

  it.each(['20.19.0', '22.0.0'])('runs on Node %s', async (version) => {
    const { code, out } = await run(name, version);
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^${name} \\d`))]);
  });

  it('says when there is no Node', async () => {
    const { code, err } = await run(name, undefined);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`${name}: needs Node, and there is no node on PATH`),
    ]);
  });
});

describe('bin/start.cjs', () => {
  it('is JavaScript that any Node reads: a compiler for old ones finds nothing to do', () => {
    const as = (target: string) => transformSync(START, { target, minifyWhitespace: true }).code;
    expect(as('es5')).toBe(as('esnext'));
  });

  it('wants the Node that package.json wants', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const [, major, minor] = /FLOOR = \[(\d+), (\d+)\]/.exec(START) ?? [];
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });
});
