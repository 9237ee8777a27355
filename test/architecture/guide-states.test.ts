/** The state files that guides show compile: a block ```` ```yaml file=web/init.zy ```` is that file of the page's tree. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintTree } from '../../src/authoring/lint/lint-tree.ts';
import { sampleMachines } from '../../src/authoring/lint/sample-facts.ts';
import { FUNCTIONS } from '../../src/modules/registry.ts';
import { STATE_MODULES } from '../../src/modules/state-registry.ts';
import { digest, hmac } from '../../src/runtime/digest.ts';
import { memoryTree } from '../harness/states/memory-tree.ts';
import { listFiles } from './source-files.ts';

const GUIDES = resolve(import.meta.dirname, '../../docs/guides');

const pages = listFiles(GUIDES)
  .filter((path) => path.endsWith('.md'))
  .map((path) => [path.slice(GUIDES.length + 1), filesOf(readFileSync(path, 'utf8'))] as const)
  .filter(([, files]) => Object.keys(files).length > 0);

function filesOf(markdown: string): Readonly<Record<string, string>> {
  const fence = /^```yaml file=(?<path>\S+)\n(?<text>[\s\S]*?)^```$/gm;
  return Object.fromEntries(
    [...markdown.matchAll(fence)].map(({ groups }) => [groups?.path ?? '', groups?.text ?? '']),
  );
}

describe('state files in guides', () => {
  it('there are some', () => {
    expect(pages.map(([name]) => name)).toEqual(['coming-from-salt.md', 'requisites.md', 'states.md']);
  });

  it.each(pages)('of %s compile', async (_, files) => {
    const { problems } = await lintTree({
      // What they take from the tree is not shown.
      tree: memoryTree({
        'nginx/nginx.conf': '',
        'nginx/nginx.conf.jinja': '',
        'web/site/index.html': '',
        'web/web.conf.jinja': '',
        ...files,
      }),
      machines: sampleMachines(),
      settingsOf: () => ({}),
      topOnly: false,
      functions: FUNCTIONS,
      modules: STATE_MODULES,
      runtime: { digest, hmac, random: () => 0.5, nowMs: () => 0 },
      signal: new AbortController().signal,
    });
    expect(problems.map(({ at, message }) => `${at.file}:${at.line}: ${message}`)).toEqual([]);
  });
});
