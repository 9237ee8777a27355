import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { execResponseCodec, type StateResult, stateResultCodec } from '../../wire/records/exec.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { paintFor } from '../terminal/paint.ts';
import { groupReturns, renderGroup } from './render-return.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const plain = paintFor(false);

function answered(
  peel: string,
  result: Partial<StateResult>,
  given: Partial<Row> & { test?: boolean } = {},
): Row {
  const { test = false, ...rest } = given;
  const peelId = peel as PeelId;
  const results = [stateResultCodec.create({ name: 'test.ping', ...result })];
  const response = execResponseCodec.create({ jid: JID, peelId, success: true, test, results });
  return rowCodec.create({
    jid: JID,
    peelId,
    success: true,
    returnData: execResponseCodec.encode(response),
    ...rest,
  });
}
const rendered = (...returns: Row[]) =>
  groupReturns(returns)
    .map((group) => renderGroup(group, plain))
    .join('');

describe('returns on a terminal', () => {
  it('identical ones are one, under the sorted names', () => {
    const text = rendered(
      answered('web-02', { details: { result: 'true' } }),
      answered('web-01', { details: { result: 'true' } }),
    );
    expect(text).toBe('web-01, web-02: (2 alike)\n    true\n');
  });

  it('what the peel says of the files it used stands below the answer', () => {
    const details = { result: '80', note: 'the settings are those of revision 3' };
    expect(rendered(answered('web-01', { details }))).toBe(
      'web-01:\n    80\n    note: the settings are those of revision 3\n',
    );
  });

  it('failures come last, with their error', () => {
    const bad = answered(
      'web-01',
      { details: { stdout: 'x\n', stderr: 'oops\n', exitcode: '3' }, error: 'exited with 3' },
      { success: false },
    );
    const good = answered('web-02', { details: { result: 'true' } });
    expect(rendered(bad, good)).toBe(
      'web-02:\n    true\nweb-01:\n    x\n    stderr: oops\n    ERROR: exited with 3\n',
    );
  });

  it('a target that never answered says so', () => {
    const silent = rowCodec.create({
      jid: JID,
      peelId: 'db-01' as PeelId,
      error: 'UNREACHABLE: no ack',
      unreachable: true,
      outcome: 'unreachable',
    });
    expect(rendered(silent)).toBe('db-01:\n    ERROR: UNREACHABLE: no ack\n');
  });

  it('what a machine prints cannot steer the terminal', () => {
    const text = rendered(answered('web-01', { details: { stdout: 'a\u001b[31mb\u0007c\u009bd\te' } }));
    expect(text).toBe('web-01:\n    a?[31mb?c?d\te\n');
  });

  it('a dry run says what would change, a run what changed', () => {
    const state = { name: 'file.managed:/etc/motd', changed: true, duration: 1_000_000n };
    expect(rendered(answered('a', state, { test: true }))).toContain('would change');
    expect(rendered(answered('a', state))).toContain(': changed');
  });

  it('success without a word says so; an error that is told as a whole is told once', () => {
    expect(rendered(answered('a', { details: { stdout: '', exitcode: '0' } }))).toBe('a:\n    (no output)\n');
    const cut = { details: { stdout: 'x' }, error: 'execution canceled' };
    expect(rendered(answered('a', cut, { success: false, error: 'execution canceled: too late' }))).toBe(
      'a:\n    x\n    ERROR: execution canceled: too late\n',
    );
  });

  it('a result without an answer says what became of it', () => {
    const failed = { name: 'sys.doc', error: 'no such function', duration: 4_000_000n };
    expect(rendered(answered('a', failed, { success: false }))).toBe(
      'a:\n    sys.doc: failed (4ms)\n    ERROR: no such function\n',
    );
  });

  it('peels that differ only in the time they took are alike', () => {
    const failed = (peel: string, duration: bigint) =>
      answered(peel, { name: 'sys.doc', error: 'no such function', duration }, { success: false });
    expect(rendered(failed('a', 4_000_000n), failed('b', 7_000_000n))).toBe(
      'a, b: (2 alike)\n    sys.doc: failed\n    ERROR: no such function\n',
    );
  });

  it('what a dry run says twice is shown once; a diff of its own is shown', () => {
    const wouldRun = 'would run: uptime';
    const same = { name: 'cmd.run', changed: true, details: { result: wouldRun }, diff: wouldRun };
    expect(rendered(answered('a', same, { test: true }), answered('b', same, { test: true }))).toBe(
      'a, b: (2 alike)\n    would run: uptime\n',
    );
    expect(rendered(answered('a', { ...same, diff: '-x\n+y\n' }))).toBe(
      'a:\n    would run: uptime\n    -x\n    +y\n',
    );
  });

  it('a long list of names is cut and counted', () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      answered(`p-${String(i).padStart(2, '0')}`, { details: { result: 'x' } }),
    );
    expect(rendered(...many)).toContain('p-11 and 28 more: (40 alike)');
  });

  it('dots of host names are shown as dots', () => {
    expect(rendered(answered('web_example_com', { details: { result: 'x' } }))).toMatch(
      /^web\.example\.com:/,
    );
  });
});
