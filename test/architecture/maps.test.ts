/**
 * The maps of the house tell the way as it is: a README in the rooms that need one, with a picture of each flow, and no
 * page that names a file which is not there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const README_LINES_MAX = 40;

/** Each flow has a heading, and a picture below it. */
const MAPS = [
  { room: 'src/master', flows: ['Dispatch', 'Return', 'Takeover'] },
  { room: 'src/master/publish', flows: ['A turn', 'Settings'] },
  { room: 'src/peel', flows: ['Intake', 'Run', 'Return', 'Files and settings'] },
  { room: 'src/mirror', flows: ['Follow', 'Install', 'In place'] },
  { room: 'src/bus', flows: ['Read', 'Watch', 'Consume'] },
  { room: 'src/core/states', flows: ['Compile', 'Plan', 'Apply', 'Revert'] },
  { room: 'src/client', flows: ['A job', 'Errors'] },
  { room: 'src/sim', flows: ['One run'] },
] as const;

describe('maps', () => {
  describe.each(MAPS)('$room/README.md', ({ room, flows }) => {
    const text = readFileSync(join(ROOT, room, 'README.md'), 'utf8');

    it(`has at most ${README_LINES_MAX} lines`, () => {
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
    });

    it('explains its words, pictures each flow and says where to start', () => {
      expect(text).toContain('| word | meaning |');
      const missing = flows.filter((flow) => !new RegExp(`^## ${flow}\\b.*\n\n\`\`\`\n`, 'm').test(text));
      expect(missing).toEqual([]);
      expect(text).toContain('\nStart with `');
    });
  });

  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...[...listFiles(join(ROOT, 'src')), ...listFiles(join(ROOT, 'docs'))]
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.slice(ROOT.length + 1))
      // A chronicle: it names what there was at the time.
      .filter((page) => page !== 'docs/progress.md'),
  ];

  it.each(pages)('%s names only files and folders that are there', (page) => {
    const missing = namedPaths(readFileSync(join(ROOT, page), 'utf8')).filter(
      (path) => isOurs(path, page) && !isThere(path, page),
    );
    expect(missing).toEqual([]);
  });

  it('takes paths for paths', () => {
    expect(
      namedPaths('`src/bus`, `watch/`, `port.ts`, `a b/c`, `$JS.API`, `jobs/<jid>`, `/healthz`'),
    ).toEqual(['src/bus', 'watch/', 'port.ts']);
  });
});

/** Guides name files of the reader's machine as well: there only what begins with a folder of ours is ours. */
function isOurs(path: string, page: string): boolean {
  if (!page.startsWith('docs/guides/')) return true;
  const [first = ''] = path.split('/');
  return existsSync(join(ROOT, first)) || existsSync(join(ROOT, 'src', first));
}

/** A path is told from the page, from src/ or from the root; a name alone is a file somewhere below the page. */
function isThere(path: string, page: string): boolean {
  const here = join(ROOT, dirname(page));
  if ([here, join(ROOT, 'src'), ROOT].some((place) => existsSync(join(place, path)))) return true;
  return here !== ROOT && !path.includes('/') && listFiles(here).some((file) => file.endsWith(`/${path}`));
}

/** Words in backticks that can only be a file or folder of this repository. */
function namedPaths(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([a-z][\w.-]*(?:\/[\w.-]*)+|[a-z][\w-]*\.(?:ts|md))`/g)].map(
    (match) => match[1] ?? '',
  );
}
