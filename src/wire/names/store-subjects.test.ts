import { describe, expect, it } from 'vitest';
import { BUCKETS } from './buckets.ts';
import {
  directGetLastSubject,
  hintSubject,
  kvStreamName,
  kvSubject,
  parseHintSubject,
} from './store-subjects.ts';

describe('store subjects', () => {
  it('are spelled as NATS spells them', () => {
    const { name } = BUCKETS.secrets;
    expect(directGetLastSubject(kvStreamName(name), kvSubject(name, 'web-01'))).toBe(
      '$JS.API.DIRECT.GET.KV_secrets.$KV.secrets.web-01',
    );
  });

  it('of hints are parsed back, keys with dots and slashes too', () => {
    for (const key of ['web-01', 'common/base.zy', 'active.2hPx', '_revision']) {
      expect(parseHintSubject(hintSubject('state-files', key))).toEqual({ bucket: 'state-files', key });
    }
  });

  it.each([
    '',
    'zester.kv',
    'zester.kv.facts',
    'zester.kv.facts.',
    'zester.kv..a',
    'zester.kv.facts.*',
    'zester.kv.facts.>',
    'zester.kv.facts.a..b',
    'zester.kv.facts.a b',
    'zester.kv.facts.a\n',
    'zester.kv.*.a',
    '$KV.facts.a',
    `zester.kv.facts.${'a'.repeat(2_000)}`,
  ])('that a stranger made up mean nothing: %j', (subject) => {
    expect(parseHintSubject(subject)).toBeUndefined();
  });
});
