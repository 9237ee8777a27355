/** What our documents tell people to type works: every shell block runs, in order, in a copy of the repository. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../architecture/source-files.ts';
import { ROOT, type RunningProgram, scratchDir, start } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';
import { MACHINE_PAGES, type ShellBlock, shellBlocks } from './doc-blocks.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...listFiles(join(ROOT, 'docs')).map((path) => path.slice(ROOT.length + 1)),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => [path, shellBlocks(path, readFileSync(join(ROOT, path), 'utf8'))] as const)
  .filter(([path]) => !MACHINE_PAGES.includes(path))
  .filter(([, blocks]) => blocks.length > 0);

/** `npm test` inside `npm test` would not end; it is run for one small file. */
const ENV = { ZESTER_TEST_FILTER: 'src/core/duration.test.ts' };
const BLOCK_MS_MAX = 180_000;
/** Of the fleet that `npm start` runs: it stays for as long as the fleet. */
const FLEET_DIR = '.zester';

/** A copy of the repository, and what runs in it. */
interface Place {
  readonly clone: string;
  readonly background: Background[];
}

interface Background {
  readonly script: string;
  readonly program: RunningProgram;
}

/**
 * README.md tells the whole way from a clone on, in a place of its own. The other pages share one, as people do who read
 * on: what a page starts in a terminal of its own runs on for those after it, and is not started twice. The files that a
 * page makes are gone before the next.
 */
const places = new Map<string, Place>();
const SHARED = 'docs';

function placeOf(path: string): Place {
  const name = path.startsWith('docs/') ? SHARED : path;
  const place = places.get(name) ?? { clone: copyOfRepository(), background: [] };
  places.set(name, place);
  return place;
}

describe('shell blocks', () => {
  it('there are some in README.md', () => {
    expect(pages.map(([path]) => path)).toContain('README.md');
  });

  it.each([
    ['docs/a.md', '```sh machin="nats-1"', /run by no test/],
    ['docs/a.md', '```sh machine="nats-1"', /say on which machine/],
    [MACHINE_PAGES[0] ?? '', '```sh', /say on which machine/],
    [
      MACHINE_PAGES[0] ?? '',
      '```sh machine="nats-1"\ntrue\n```\ntext\n```text prints',
      /right after the block/,
    ],
  ])('a block of %s that no test would run as it reads is an error: %s', (page, block, error) => {
    expect(() => shellBlocks(page, `${block}\ntrue\n\`\`\`\n`)).toThrow(error);
  });

  it.each(pages)(
    'of %s run',
    async (path, blocks) => {
      const place = placeOf(path);
      const before = new Set(readdirSync(place.clone));
      for (const block of blocks) await runBlock(block, place);
      const made = readdirSync(place.clone).filter((name) => !before.has(name) && name !== FLEET_DIR);
      for (const name of made) rmSync(join(place.clone, name), { recursive: true });
    },
    2 * BLOCK_MS_MAX,
  );

  it(
    'what they start in the background ends well when it is interrupted',
    async () => {
      const programs = [...places.values()].flatMap(({ background }) =>
        background.map(({ program }) => program),
      );
      expect(programs.length).toBeGreaterThan(0);
      for (const { child } of programs) child.kill('SIGINT');
      await Promise.all(programs.map(({ ended }) => ended));
      expect(programs.map(({ child }) => child.exitCode)).toEqual(programs.map(() => 0));
    },
    BLOCK_MS_MAX,
  );
});

async function runBlock(block: ShellBlock, { clone, background }: Place): Promise<void> {
  const text = block.background;
  if (text !== undefined && background.some(({ script }) => script === block.script)) return;
  const script = text === undefined ? block.script : `exec ${block.script}`;
  const program = start('/bin/bash', ['-euo', 'pipefail', '-c', script], { cwd: clone, env: ENV });
  if (text !== undefined) {
    background.push({ script: block.script, program });
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
