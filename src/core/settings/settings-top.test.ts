import { describe, expect, it } from 'vitest';
import { parsePeelId } from '../../wire/names/ids.ts';
import { ProblemList } from '../states/compile/problem-list.ts';
import { printProblems } from '../states/state-problem.ts';
import { patternMatcher } from '../states/top/top-pattern.ts';
import { NO_WORDS } from '../target/operator-words.ts';
import { readSettingsTop, topRefs } from './settings-top.ts';

function top(text: string) {
  const list = new ProblemList();
  const lines = readSettingsTop([{ path: 'top.zy', text }], '/settings', list);
  return { lines, problems: list.errors };
}

const problemsOf = (text: string) => printProblems(top(text).problems);

describe('readSettingsTop', () => {
  it('reads environments, patterns and what they give out, each with its place', () => {
    const { lines, problems } = top(
      "base:\n  '*':\n    - common\n  'os:Debian':\n    - match: grain\n    - debian\n",
    );
    expect(problems).toEqual([]);
    expect(lines).toEqual([
      {
        ...{ environment: 'base', pattern: '*', type: '', ignoresMissing: false },
        at: { file: 'top.zy', line: 2, column: 3 },
        refs: [{ ref: 'common', at: { file: 'top.zy', line: 3, column: 7 } }],
      },
      {
        ...{ environment: 'base', pattern: 'os:Debian', type: 'grain', ignoresMissing: false },
        at: { file: 'top.zy', line: 4, column: 3 },
        refs: [{ ref: 'debian', at: { file: 'top.zy', line: 6, column: 7 } }],
      },
    ]);
  });

  it('is not a template, and says so', () => {
    expect(problemsOf("base:\n  '*':\n{% if true %}\n    - common\n{% endif %}\n")).toBe(
      'top.zy:3:1: the top file of settings is not a template\n' +
        '  next: write the patterns out; one can ask for facts, as G@os:Debian does',
    );
    expect(problemsOf("base:\n  '{{ id }}': [common]\n")).toContain(
      'top.zy:2:4: the top file of settings is not',
    );
    expect(problemsOf("# not {{ rendered }}\nbase:\n  '*': [common] # {% no %}\n")).toBe('');
  });

  it.each([
    ['- a\n', 'top.zy:1:1: the top file of settings is a mapping of environments, not a list'],
    ['base: [a]\n', 'top.zy:1:7: an environment is a mapping of patterns, not a list'],
    ["base:\n  '*': common\n", 'top.zy:2:8: * takes a list of settings files, not "common"'],
    [
      "base:\n  '*': [{ignore_missing: perhaps}]\n",
      'top.zy:2:9: * takes names of settings files, not a mapping',
    ],
    ['base: [\n', 'top.zy:2:1: a value is missing here'],
  ])('%j is wrong', (text, problem) => {
    expect(problemsOf(text).split('\n')[0]).toBe(problem);
  });

  it('must be there, once', () => {
    const files = ['top.zy', 'top.sls'].map((path) => ({ path, text: 'base: {}' }));
    const printed = (given: typeof files) => {
      const list = new ProblemList();
      expect(readSettingsTop(given, '/settings', list)).toEqual([]);
      return printProblems(list.errors);
    };
    expect(printed([])).toContain('/settings: there is no top.zy');
    expect(printed(files)).toContain('there are top.zy and top.sls');
  });
});

describe('topRefs', () => {
  const peelId = parsePeelId('web-01') ?? expect.fail();
  const refsOf = (text: string) => {
    const list = new ProblemList();
    const refs = topRefs(top(text).lines, patternMatcher(peelId, { role: 'web' }, NO_WORDS), list);
    return { ...refs, problems: list.errors };
  };

  it('has what the matching lines give, in file order, none twice, with the pattern that gave it', () => {
    const { refs } = refsOf(
      "base:\n  '*': [a, b]\n  'db*': [c]\n  'role:web': [b, d]\nprod:\n  'web*': [e, a]\n",
    );
    expect(refs.map(({ ref, pattern }) => `${ref} ${pattern}`)).toEqual([
      'a *',
      'b *',
      'd role:web',
      'e web*',
    ]);
  });

  it('remembers which files need not be there, whomever the line means', () => {
    const { mayBeMissing } = refsOf(
      "base:\n  'db*': [{ignore_missing: true}, a]\n  '*': [{ignore_missing: false}, b]\n",
    );
    expect([...mayBeMissing]).toEqual(['a']);
  });

  it('tells of a pattern that cannot be read, whomever it means', () => {
    const { problems } = refsOf("base:\n  'db* and (': [a]\n");
    expect(printProblems(problems)).toMatch(/^top\.zy:2:3: /);
  });
});
