/** What our documents tell people to type works: every shell block runs, in order, in a copy of the repository. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../architecture/source-files.ts';
import { ROOT, type RunningProgram, scratchDir, start } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';
import { type ShellBlock, shellBlocks } from './doc-blocks.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...listFiles(join(ROOT, 'docs')).map((path) => path.slice(ROOT.length + 1)),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => [path, shellBlocks(readFileSync(join(ROOT, path), 'utf8'))] as const)
  .filter(([, blocks]) => blocks.length > 0);

/** `npm test` inside `npm test` would not end; it is run for one small file. */
const ENV = { ZESTER_TEST_FILTER: 'src/core/duration.test.ts' };
const BLOCK_MS_MAX = 180_000;

describe('shell blocks', () => {
  it('there are some in README.md', () => {
    expect(pages.map(([path]) => path)).toContain('README.md');
  });

  it.each(pages)(
    'of %s run',
    async (_path, blocks) => {
      const clone = copyOfRepository();
      const background: RunningProgram[] = [];
      try {
        for (const block of blocks) await runBlock(block, clone, background);
      } finally {
        for (const { child } of background) child.kill('SIGINT');
        await Promise.all(background.map(({ ended }) => ended));
      }
      expect(background.map(({ child }) => child.exitCode)).toEqual(background.map(() => 0));
    },
    2 * BLOCK_MS_MAX,
  );
});

async function runBlock(block: ShellBlock, cwd: string, background: RunningProgram[]): Promise<void> {
  const text = block.background;
  const script = text === undefined ? block.script : `exec ${block.script}`;
  const program = start('/bin/bash', ['-euo', 'pipefail', '-c', script], { cwd, env: ENV });
  if (text !== undefined) {
    background.push(program);
    await until(
      () => {
        if (program.child.exitCode !== null) throw new Error(program.err());
        return program.out().includes(text);
      },
      `line ${block.line} to print “${text}”`,
      BLOCK_MS_MAX,
    );
    return;
  }
  const { code, out, err } = await program.ended;
  expect(code, `line ${block.line}: ${block.script}\n${out}\n${err}`).toBe(0);
}

/** The files that git would commit, with packages and programs as they are here: as after a clone and a first run. */
function copyOfRepository(): string {
  const clone = scratchDir();
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
  });
  for (const path of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(ROOT, path), join(clone, path), { verbatimSymlinks: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  cpSync(join(ROOT, 'dist'), join(clone, 'dist'), { recursive: true });
  return clone;
}
