import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../core/duration.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { defaultTimeoutMs, execCommand, targetingText, unknownInList } from './exec-command.ts';

const peels = (count: number) => Array.from({ length: count }, (_, i) => `p${i}` as PeelId);

describe('the default timeout', () => {
  it.each([
    ['test.ping', '', 1],
    ['file.managed', '/etc/motd', 1],
    ['state.show_sls', 'web', 1],
    ['state.show_highstate', '', 1],
    ['state.apply', 'web', 5],
    ['state.sls', 'web', 5],
    ['state.single', 'file.touch', 5],
    ['state.revert', 'web', 5],
    ['state.apply', '', 10],
    ['state.highstate', '', 10],
  ])('%s %s has %d minutes', (functionName, id, minutes) => {
    expect(defaultTimeoutMs(functionName, id)).toBe(minutes * 60_000);
  });

  it('the help of --timeout names each of them', () => {
    const { doc = '' } = execCommand.options.find(({ name }) => name === 'timeout') ?? {};
    for (const words of [['test.ping'], ['state.apply', 'web'], ['state.apply']]) {
      const [functionName = '', id = ''] = words;
      expect(doc).toContain(formatDuration(defaultTimeoutMs(functionName, id)));
    }
  });
});

describe('targetingText', () => {
  it('names all of a few, and the first of many', () => {
    expect(targetingText(peels(2))).toBe('Targeting 2 peel(s): [p0 p1]');
    expect(targetingText(peels(10_000))).toMatch(/^Targeting 10000 peel\(s\): \[p0 .* p19 and 9980 more\]$/);
  });
});

describe('unknownInList', () => {
  it.each([
    ['L@p0,nobody,p1,p9', ['nobody', 'p9']],
    ['L@p0,p1', []],
    ['L@web.example', ['web.example']],
    ['p0 or L@nobody', []],
    ['nobody*', []],
  ])('%s', (target, unknown) => {
    expect(unknownInList(target, peels(2))).toEqual(unknown);
  });

  it('knows a name with dots', () => {
    expect(unknownInList('L@web.example', ['web_example' as PeelId])).toEqual([]);
  });
});
