import { describe, expect, it } from 'vitest';
import { type FileTexts, problemLine, testRender } from '../../../../test/harness/states/compiled-files.ts';
import { memoryTree } from '../../../../test/harness/states/memory-tree.ts';
import type { MatchPattern, TopFile } from '../compile/compile-input.ts';
import { readTop } from './read-top.ts';

const isWeb: MatchPattern = (pattern, type) => {
  if (pattern === 'bad(') return { message: 'a parenthesis is open', hint: 'close it' };
  return ['*', 'web*', 'os:debian'].includes(pattern) && (type === '' || type === 'grain');
};

async function top(files: FileTexts | string): Promise<TopFile> {
  const tree = memoryTree(typeof files === 'string' ? { 'top.zy': files } : files);
  return readTop({ tree, render: testRender, matches: isWeb });
}

async function refs(files: FileTexts | string): Promise<readonly string[]> {
  const { refs: found, problems } = await top(files);
  expect(problems).toEqual([]);
  return found.map(({ ref }) => ref);
}

async function problems(files: FileTexts | string): Promise<readonly string[]> {
  return (await top(files)).problems.map(problemLine);
}

describe('readTop', () => {
  it('gives what the matching patterns name, in file order, none twice, of all environments', async () => {
    const text =
      "base:\n  '*': [common, web]\n  db*: [db]\n  web*: [web, web.tls]\nextra:\n  '*': [more, common]\n";
    const found = await top(text);
    expect(found.refs).toEqual([
      { ref: 'common', at: { file: 'top.zy', line: 2, column: 9 } },
      { ref: 'web', at: { file: 'top.zy', line: 2, column: 17 } },
      { ref: 'web.tls', at: { file: 'top.zy', line: 4, column: 15 } },
      { ref: 'more', at: { file: 'top.zy', line: 6, column: 9 } },
    ]);
    expect(found.shown).toEqual({ base: ['common', 'web', 'web.tls'], extra: ['more', 'common'] });
  });

  it('is rendered first', async () => {
    expect(await refs("base:\n  '*':\n    - os.{{ facts.os }}\n")).toEqual(['os.debian']);
  });

  it('passes on what the pattern is said to be', async () => {
    expect(await refs('base:\n  os:debian:\n    - match: grain\n    - deb\n')).toEqual(['deb']);
    expect(await refs("base:\n  '*':\n    - match: list\n    - never\n")).toEqual([]);
  });

  it('may be top.sls, and may be empty', async () => {
    expect(await refs({ 'top.sls': "base: {'*': [a]}" })).toEqual(['a']);
    expect(await refs('')).toEqual([]);
    expect(await refs("base:\nother:\n  '*':\n  web*: []\n")).toEqual([]);
  });

  it('takes environments of any name', async () => {
    expect(await refs("include:\n  '*': [a]\nextend:\n  '*': [b]\n")).toEqual(['a', 'b']);
  });

  it.each<[FileTexts | string, string]>([
    [{}, '/states there is no top.zy | make one: write `base:`'],
    [{ 'top.zy': '', 'top.sls': '' }, '/states there are top.zy and top.sls | remove one of them'],
    ['base: [web]', 'top.zy:1:7 an environment is a mapping of patterns, not a list | write `base:`'],
    ["base:\n  '*': web\n", 'top.zy:2:8 * takes a list of state files, not "web" | write `base:`'],
    ["base:\n  '*': [[a]]\n", 'top.zy:2:9 * takes names of state files, not a list | write `- web`'],
    [
      "base:\n  '*': [{mach: grain}]\n",
      'top.zy:2:9 * takes names of state files, not a mapping | write `- web`',
    ],
    ['base:\n  bad(: [a]\n', 'top.zy:2:3 a parenthesis is open | close it'],
    ['base: {{ nothing }}\n', "top.zy:1:10 'nothing' is undefined"],
    ['base: [\n', 'top.zy:'],
  ])('explains what is wrong: %j', async (files, expected) => {
    const found = await problems(files);
    expect(found).toEqual([expect.stringContaining(expected)]);
  });
});
