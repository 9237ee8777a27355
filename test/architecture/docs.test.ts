/** The generated pages say what the code says, both ways: what is missing in them or too much fails. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withBlock } from '../../scripts/docs/generated-block.ts';
import { generatedPages } from '../../scripts/docs/generated-pages.ts';
import { listFiles } from './source-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('generated pages', () => {
  it.each([...generatedPages(read)])('%s is up to date (npm run docs)', (path, text) => {
    expect(read(path)).toBe(text);
  });

  it('a page that lost its marks is an error, not a page that is left as it is', () => {
    expect(() => withBlock('# A page\n', 'x')).toThrow('a generated block stands between');
  });
});

describe('links', () => {
  const pages = [
    ...listFiles(join(ROOT, 'docs')),
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((page) => join(ROOT, page)),
  ];

  it.each(pages.filter((page) => page.endsWith('.md')).map((page) => page.slice(ROOT.length + 1)))(
    '%s links only to files that are there',
    (page) => {
      const text = read(page);
      const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '');
      const missing = targets.filter((target) => {
        try {
          readFileSync(resolve(join(ROOT, page), '..', target));
          return false;
        } catch (error) {
          return (error as NodeJS.ErrnoException).code !== 'EISDIR';
        }
      });
      expect(missing).toEqual([]);
    },
  );
});
