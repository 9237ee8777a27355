import { expect, it } from 'vitest';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { execResponseCodec, type StateResult, stateResultCodec } from '../../wire/records/exec.ts';
import { responseJson, responseText } from './print-response.ts';

const frame = { peelId: 'web-01' as PeelId, jid: '2wHyPZTlDs1GYQ6jPnDs7v3TqWk' as Jid };
const result = (given: Partial<StateResult>) =>
  stateResultCodec.create({ name: 'test.nop:x', duration: nanosFromMs(5), ...given });
const text = (results: StateResult[], given = {}) =>
  responseText(execResponseCodec.create({ ...frame, success: true, results, ...given }));

it('a function answers with its result, a command with what it printed', () => {
  expect(text([result({ name: 'test.ping', details: { result: 'true' } })])).toBe('true\n');
  const failed = result({ name: 'cmd.run', details: { stdout: 'a', stderr: 'b' }, error: 'exited with 1' });
  expect(text([failed])).toBe('a\nb\nexited with 1\n');
});

it('states have a line each, with what there is to say below, and the counts', () => {
  const results = [
    result({ name: 'file.managed:/a', changed: true, diff: '+x\n-y\n' }),
    result({ name: 'test.show_notification:b', details: { comment: 'look' } }),
    result({ name: 'cmd.run:c', error: 'exited with 1', details: { stderr: 'no' } }),
    result({ name: 'test.nop:d', skipped: true, skipReason: 'require_failed' }),
  ];
  expect(text(results)).toBe(
    [
      'changed      file.managed:/a (5ms)',
      '    +x',
      '    -y',
      'ok           test.show_notification:b (5ms)',
      '    look',
      'failed       cmd.run:c (5ms)',
      '    exited with 1',
      '    no',
      'skipped (require_failed) test.nop:d (5ms)',
      '4 states, 1 changed, 1 failed, 1 skipped\n',
    ].join('\n'),
  );
  expect(text(results.slice(0, 1), { test: true })).toContain('would change file.managed:/a');
});

it('a dry run does not promise what it does not know', () => {
  const details = { prediction: 'unknown' };
  const guesses = [result({ changed: true, details }), result({ details })];
  expect(text(guesses, { test: true })).toMatch(
    /^may change {3}test.nop:x \(5ms\)\nmay change {3}test.nop:x/,
  );
  const skipped = result({ skipped: true, skipReason: 'onfail_not_met', details });
  expect(text([skipped], { test: true })).toMatch(/^may be skipped \(onfail_not_met\) test.nop:x/);
  expect(text([result({ error: 'no' })], { test: true })).toMatch(/^would fail {3}test.nop:x/);
});

it('what files and programs hold cannot steer the terminal', () => {
  const shown = text([result({ changed: true, diff: '+\u001b[31mred\ttab\r\u009b2J\n' })]);
  expect(shown).toContain('    +?[31mred\ttab??2J\n');
});

it('what could not be run says why', () => {
  expect(text([], { success: false, error: 'a.zy:1:1: wrong' })).toBe('a.zy:1:1: wrong\n');
});

it('programs get every field', () => {
  const response = execResponseCodec.create({ ...frame, success: true, test: true, results: [result({})] });
  expect(JSON.parse(responseJson(response))).toEqual({
    peel_id: 'web-01',
    jid: frame.jid,
    success: true,
    test: true,
    results: [
      {
        name: 'test.nop:x',
        state: { function: 'test.nop', id: 'x' },
        changed: false,
        diff: '',
        details: {},
        duration_ms: 5,
        error: '',
        skipped: false,
        skip_reason: '',
      },
    ],
  });
});
