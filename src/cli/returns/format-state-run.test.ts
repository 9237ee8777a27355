import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import {
  type ExecResponse,
  execResponseCodec,
  type StateResult,
  stateResultCodec,
} from '../../wire/records/exec.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { paintFor } from '../terminal/paint.ts';
import type { StateOutput } from './format-state-run.ts';
import { ASCII_GLYPHS, glyphsFor, UNICODE_GLYPHS } from './glyphs.ts';
import { isOfStates, returnsText } from './returns-text.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const MS = 1_000_000n;

function applied(
  peel: string,
  states: readonly Partial<StateResult>[],
  given: Partial<Row> & { test?: boolean; revisions?: Partial<ExecResponse> } = {},
): Row {
  const { test = false, revisions = {}, ...rest } = given;
  const peelId = peel as PeelId;
  const results = states.map((state) => stateResultCodec.create({ duration: 3n * MS, ...state }));
  const success = results.every(({ error }) => error === '');
  const response = execResponseCodec.create({ jid: JID, peelId, success, test, results, ...revisions });
  return rowCodec.create({
    jid: JID,
    peelId,
    success,
    duration: 1_200n * MS,
    returnData: execResponseCodec.encode(response),
    ...rest,
  });
}

const shown = (returns: readonly Row[], stateOutput: StateOutput = 'full', glyphs = UNICODE_GLYPHS) =>
  returnsText(returns, { paint: paintFor(false), glyphs, stateOutput });

const UNCHANGED = { name: 'file.directory:/srv/www' };
const CHANGED = {
  name: 'file.managed:/etc/motd',
  changed: true,
  diff: '--- /etc/motd\n+++ /etc/motd\n@@ -1 +1 @@\n-old\n+new\n',
};
const FAILED = {
  name: 'cmd.run:false',
  error: 'exited with 1',
  details: { stdout: '', stderr: 'no such thing\nat all\n', exitcode: '1' },
};
const SKIPPED = { name: 'service.running:nginx', skipped: true, skipReason: 'require_failed' };

describe('a state run on a terminal', () => {
  it('shows what a state was told to say, though nothing changed', () => {
    const note = { name: 'test.show_notification:hint', details: { comment: 'restart it\nby hand' } };
    expect(shown([applied('web-01', [note])])).toContain(
      [
        '  ✓ test.show_notification:hint  no change (3ms)',
        '      comment:',
        '        restart it',
        '        by hand',
      ].join('\n'),
    );
    expect(shown([applied('web-01', [note])], 'terse')).toContain('no change: restart it … (3ms)');
  });

  it('has one line for each state, shows what changed and failed, and a summary', () => {
    expect(shown([applied('web-01', [UNCHANGED, CHANGED, FAILED, SKIPPED])])).toBe(
      [
        'web-01:',
        '  ✓ file.directory:/srv/www  no change (3ms)',
        '  ~ file.managed:/etc/motd   changed (3ms)',
        '      --- /etc/motd',
        '      +++ /etc/motd',
        '      @@ -1 +1 @@',
        '      -old',
        '      +new',
        '  ✗ cmd.run:false            failed (3ms)',
        '      stderr:',
        '        no such thing',
        '        at all',
        '      exitcode: 1',
        '      ERROR: exited with 1',
        '  – service.running:nginx    skipped: a state it requires failed',
        '  Summary for web-01',
        '  ------------',
        '  Succeeded: 2 (changed=1)',
        '  Failed:    1',
        '  Skipped:   1',
        '  ------------',
        '  Total states run: 4',
        '  Total run time:   1s200ms',
        '',
      ].join('\n'),
    );
  });

  it('names the revisions of the published files that were used, and does not show peels as one that used others', () => {
    const revisions = { statesRevision: 12, settingsRevision: 3 };
    const text = shown([applied('web-01', [UNCHANGED], { revisions })]);
    expect(text).toContain('  Total run time:   1s200ms\n  Revisions:        states 12, settings 3\n');
    const older = applied('web-02', [UNCHANGED], { revisions: { statesRevision: 11 } });
    const both = shown([applied('web-01', [UNCHANGED], { revisions }), older], 'terse');
    expect(both).toContain('(1s200ms; revisions: states 12, settings 3)');
    expect(both).toContain('(1s200ms; revisions: states 11)');
    expect(shown([applied('web-01', [UNCHANGED])])).not.toContain('evision');
  });

  it('says would in a dry run, and says that nothing was changed', () => {
    const text = shown([applied('a', [CHANGED, FAILED, SKIPPED], { test: true })]);
    expect(text).toContain('~ file.managed:/etc/motd  would change');
    expect(text).toContain('would fail');
    expect(text).toContain('would be skipped: a state it requires failed');
    expect(text).toContain('Summary for a (dry run: nothing was changed)');
    expect(text).toContain('Succeeded: 1 (would change=1)');
    expect(text).not.toMatch(/ {2}changed|changed=/);
  });

  it('does not pretend to know what only a real run can tell', () => {
    const unknown = {
      name: 'file.managed:/etc/made-by-a-program',
      changed: true,
      diff: 'cannot be predicted: /opt/x is missing',
      details: { prediction: 'unknown' },
    };
    const text = shown([applied('a', [unknown], { test: true })]);
    expect(text).toContain('? file.managed:/etc/made-by-a-program  may change: only a real run can tell');
    expect(text).toContain('      cannot be predicted: /opt/x is missing\n');
    expect(text).toContain('(would change=0, may change=1)');
    expect(text).not.toContain('prediction:');
  });

  it('does not pretend to know whether a state would be skipped either', () => {
    const perhaps = { ...SKIPPED, skipReason: 'onchanges_not_met', details: { prediction: 'unknown' } };
    expect(shown([applied('a', [perhaps], { test: true })])).toContain(
      '– service.running:nginx  may be skipped: nothing it waits for changed',
    );
  });

  it.each([
    ['require_failed', 'skipped: a state it requires failed'],
    ['onchanges_not_met', 'skipped: nothing it waits for changed'],
    ['onfail_not_met', 'skipped: nothing it stands in for failed'],
    ['prereq_not_met', 'skipped: nothing it prepares would change'],
    ['failhard_abort', 'skipped: a failhard state failed before it'],
    ['', 'skipped: the run was ended before it'],
    ['of_another_version', 'skipped: of_another_version'],
  ])('skip reason %j: %s', (skipReason, words) => {
    expect(shown([applied('a', [{ name: 'x.y:z', skipped: true, skipReason }])])).toContain(words);
  });

  it('names the states that failed, where the peel did', () => {
    const skipped = { ...SKIPPED, details: { because: 'cmd.run:false' } };
    expect(shown([applied('a', [skipped])])).toContain(
      '– service.running:nginx  skipped: a state it requires failed (cmd.run:false)\n  Summary',
    );
  });

  it('says what a revert left alone, also where that is everything', () => {
    const kept = { ...UNCHANGED, details: { kept: '/srv/www: is not empty, it holds index.html' } };
    expect(shown([applied('a', [kept])])).toContain(
      '      kept: /srv/www: is not empty, it holds index.html\n',
    );
  });

  it('says why a guard kept a state from running', () => {
    const guarded = { ...UNCHANGED, diff: 'skipped: guard condition not met' };
    expect(shown([applied('a', [guarded])])).toContain('      skipped: guard condition not met\n');
  });

  it('changes: shows only what changed or failed, and counts the rest', () => {
    const text = shown([applied('a', [UNCHANGED, CHANGED, FAILED, SKIPPED])], 'changes');
    expect(text).toContain('+new');
    expect(text).toContain('ERROR: exited with 1');
    expect(text).not.toContain('file.directory');
    expect(text).not.toContain('service.running');
    expect(text).toContain('Total states run: 4');
  });

  it('terse: one line for each state and one for the peel', () => {
    expect(shown([applied('a', [UNCHANGED, CHANGED, FAILED, SKIPPED])], 'terse')).toBe(
      [
        'a:',
        '  ✓ file.directory:/srv/www  no change (3ms)',
        '  ~ file.managed:/etc/motd   changed (3ms)',
        '  ✗ cmd.run:false            failed: exited with 1 (3ms)',
        '  – service.running:nginx    skipped: a state it requires failed',
        '  a: 1 changed, 1 unchanged, 1 skipped, 1 failed (1s200ms)',
        '',
      ].join('\n'),
    );
  });

  it('peels whose runs differ in time only are shown once', () => {
    const slow = { ...CHANGED, duration: 90n * MS };
    const text = shown([
      applied('web-02', [UNCHANGED, CHANGED]),
      applied('web-01', [UNCHANGED, slow], { duration: 2_000n * MS }),
      applied('web-03', [UNCHANGED, { ...CHANGED, diff: '+other\n' }]),
    ]);
    expect(text).toContain('web-01, web-02: (2 peels: same 1 change)\n');
    expect(text).toContain('  ~ file.managed:/etc/motd   changed\n');
    expect(text).toContain('Summary for 2 peels');
    expect(text).toContain('Total run time:   2s\n');
    expect(text).toContain('web-03:\n');
  });

  it.each([
    [[UNCHANGED, SKIPPED], {}, '(2 peels: no changes)'],
    [[CHANGED, FAILED], {}, '(2 peels: same 1 change and 1 failure)'],
    [[CHANGED, { ...CHANGED, name: 'a.b:c' }], { test: true }, '(2 peels: same 2 possible changes)'],
  ])('tells in the head what they have in common', (states, given, words) => {
    expect(shown([applied('a', states, given), applied('b', states, given)])).toContain(words);
  });

  it('good runs come first, then failed ones; what is no state run is shown as before', () => {
    const silent = rowCodec.create({
      jid: JID,
      peelId: 'db-01' as PeelId,
      error: 'UNREACHABLE: no ack',
      unreachable: true,
      outcome: 'unreachable',
    });
    const heads = shown([applied('bad', [FAILED]), silent, applied('good', [CHANGED])]).match(/^\S+:$/gm);
    expect(heads).toEqual(['good:', 'db-01:', 'bad:']);
  });

  it('a run that was cut says why', () => {
    const text = shown([applied('a', [UNCHANGED], { success: false, error: 'execution canceled' })]);
    expect(text).toContain('  ERROR: execution canceled\n  Summary for a\n');
  });

  it('one result under a bare name is an answer, not a state', () => {
    expect(isOfStates(applied('a', [{ name: 'state.show_sls', details: { result: 'x' } }]))).toBe(false);
    expect(isOfStates(applied('a', [UNCHANGED]))).toBe(true);
    expect(isOfStates(applied('a', []))).toBe(false);
  });

  it('long output is cut and says so; a script for a name is one line', () => {
    const stdout = Array.from({ length: 130 }, (_, line) => `line ${line}`).join('\n');
    const text = shown([applied('a', [{ name: 'cmd.run:set -e\nls', changed: true, details: { stdout } }])]);
    expect(text).toContain('line 99\n');
    expect(text).not.toContain('line 100\n');
    expect(text).toContain('… 30 more lines; --format json shows them');
    expect(text).toContain('~ cmd.run:set -e …  changed');
  });

  it('nothing that a machine says can steer the terminal, whatever it is', () => {
    const word = fc.string({ unit: 'binary' });
    const state = fc.record({
      name: word.map((text) => `a.b:${text}`),
      diff: word,
      error: word,
      changed: fc.boolean(),
      skipped: fc.boolean(),
      skipReason: word,
      // The wire has no such key.
      details: fc.dictionary(
        word.filter((key) => key !== '__proto__'),
        word,
      ),
    });
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), word, (states, error) => {
        for (const output of ['full', 'changes', 'terse'] as const)
          expect(shown([applied('a', states, { error })], output)).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/,
          );
      }),
      { numRuns: 50 },
    );
  });
});

describe('glyphsFor', () => {
  it.each([
    [{ LANG: 'en_US.UTF-8' }, UNICODE_GLYPHS],
    [{ LANG: 'C', LC_CTYPE: 'C.utf8' }, UNICODE_GLYPHS],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, ASCII_GLYPHS],
    [{}, ASCII_GLYPHS],
    [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, ASCII_GLYPHS],
  ])('%j', (env, glyphs) => {
    expect(glyphsFor(env)).toBe(glyphs);
  });

  it('a run without Unicode says the same in ASCII', () => {
    const text = shown([applied('a', [UNCHANGED, CHANGED, FAILED, SKIPPED])], 'terse', ASCII_GLYPHS);
    expect(text.match(/^ {2}\S(?= )/gm)).toEqual(['  .', '  ~', '  !', '  -']);
  });
});
