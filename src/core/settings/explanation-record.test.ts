import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { settingsInput } from '../../../test/harness/states/settings-input.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import { explainSetting } from './explain-setting.ts';
import {
  type ExplanationRecord,
  explanationRecord,
  explanationText,
  parseExplanation,
} from './explanation-record.ts';
import { resolveSettings } from './resolve-settings.ts';

const FILES = {
  'top.zy': "base:\n  '*':\n    - common\n    - web\n",
  'common.zy': 'web: {port: 80, names: [a]}\nold: {x: 1}\n',
  'web.zy': 'include: [tls]\nweb: {port: 8080}\nold: gone\n',
  'tls.zy': 'web: {port: 443}\n',
};

async function record(key: string): Promise<ExplanationRecord> {
  return explanationRecord(explainSetting(await resolveSettings(settingsInput(memoryTree(FILES))), key));
}

describe('explanationText', () => {
  it.each([
    [
      'web.port',
      [
        'web.port: 8080',
        '  set by',
        '    web.zy:2:7  8080  (* in top.zy:4:7)',
        '  instead of',
        '    common.zy:1:7  80  (* in top.zy:3:7)',
        '    tls.zy:1:7  443  (* in top.zy:4:7, included by web.zy:1:11)',
      ],
    ],
    [
      'web',
      [
        'web: {names: ["a"], port: 8080}',
        '  merged from',
        '    common.zy:1:1  {names: ["a"], port: 80}  (* in top.zy:3:7)',
        '    tls.zy:1:1  {port: 443}  (* in top.zy:4:7, included by web.zy:1:11)',
        '    web.zy:2:1  {port: 8080}  (* in top.zy:4:7)',
        '  merged by strategy smart, lists: replace',
      ],
    ],
    [
      'old.x',
      [
        'old.x is not set: what it stood in was replaced',
        '  replaced by',
        '    web.zy:3:1  "gone"  (* in top.zy:4:7)',
        '  instead of',
        '    common.zy:2:7  1  (* in top.zy:3:7)',
      ],
    ],
    ['web.prot', ['web.prot is not set; did you mean port?']],
    ['nothing', ['nothing is not set']],
  ])('%s', async (key, lines) => {
    expect(explanationText(await record(key)).split('\n')).toEqual(lines);
  });
});

describe('parseExplanation', () => {
  it('reads what was written', async () => {
    const written = await record('web.port');
    expect(parseExplanation(written as unknown as WireMap)).toEqual(written);
  });

  it('takes nothing else for one', async () => {
    const written = (await record('web.port')) as unknown as WireMap;
    const broken: readonly WireValue[] = [
      null,
      'text',
      [],
      ...Object.keys(written)
        .filter((key) => key !== 'value')
        .map((key) => ({ ...written, [key]: 5 })),
      { ...written, set_by: [{ at: 'x' }] },
      { ...written, set_by: ['x'] },
      { ...written, overrode: [{ at: 'x', value: 1, pattern: '', top: '', included_from: [1] }] },
    ];
    for (const each of broken) expect(parseExplanation(each)).toBeUndefined();
  });
});
