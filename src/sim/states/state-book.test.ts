import { describe, expect, it } from 'vitest';
import type { Looked } from '../../system/memory/memory-machine.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import { DECLARED } from './sim-states.ts';
import { StateBook } from './state-book.ts';

const peel = 'peel-1' as PeelId;

function file(path: string, content: string, mode = 0o600): Looked {
  return { path, kind: 'file', mode, target: '', bytes: Buffer.from(content) };
}

function row(name: string, given: Partial<StateResult> = {}): StateResult {
  const plain = {
    changed: false,
    diff: '',
    duration: 0n,
    details: {},
    error: '',
    skipped: false,
    skipReason: '',
    data: {},
    state: undefined,
  };
  return { name, ...plain, ...given };
}

/** A machine whose disk the test writes, and all that the book finds wrong. */
function machine() {
  const broken: string[] = [];
  const disk = { now: [file('motd', 'of old\n', 0o644)] };
  const book = new StateBook({
    look: () => disk.now,
    broke: (rule, text) => broken.push(`${rule}: ${text}`),
  });
  let jobs = 0;
  /** Jobs are called job-1, job-2 and so on; `ref` of a revert is the job that it undoes. */
  const begin = (kind: 'apply' | 'revert', ref: string, { release = 'r1', isDry = false } = {}) => {
    const jid = `job-${++jobs}`;
    const given = { peel, release };
    return kind === 'apply'
      ? book.begin({ jid, kind, isDry, states: DECLARED[ref] ?? [], given })
      : book.begin({ jid, kind, isDry, states: [], undoes: ref === '' ? undefined : ref, given });
  };
  const run = (
    kind: 'apply' | 'revert',
    ref: string,
    results: readonly StateResult[],
    after: readonly Looked[],
    options: { release?: string; isDry?: boolean } = {},
  ) => {
    const seen = begin(kind, ref, options);
    disk.now = [...after];
    book.end(seen, { results, error: undefined, isCut: false, isDiskWell: true, mayNotCompile: false });
  };
  return { book, disk, broken, begin, run };
}

const MOTD = 'file.managed:motd';
const OLD = file('motd', 'of old\n', 0o644);
const NEW = file('motd', 'motd r1\n');

describe('the book of states', () => {
  it('is content with an apply that leaves what it declares, and a revert that brings back what was there', () => {
    const { run, broken, book } = machine();
    run('apply', 'motd', [row(MOTD, { changed: true })], [NEW]);
    run('apply', 'motd', [row(MOTD)], [NEW]);
    run('revert', '', [row(MOTD, { changed: true, diff: 'restored' })], [OLD]);
    run('revert', '', [row(MOTD, { diff: 'already reverted' })], [OLD]);
    expect(broken).toEqual([]);
    expect(book.counts).toEqual({ runs: 4, restored: 1, died: 0 });
  });

  it.each([
    ['another content', [file('motd', 'motd r2\n')], row(MOTD, { changed: true })],
    ['nothing at all', [OLD], row(MOTD, { changed: true })],
    ['a file that nobody declared', [NEW, file('stray', 'x')], row(MOTD, { changed: true })],
    ['a change that it does not tell', [NEW], row(MOTD)],
    ['a failure without a reason', [OLD], row(MOTD, { error: 'no' })],
    ['a temporary file', [NEW, file('.zester-0123456789abcdef.tmp', 'x')], row(MOTD, { changed: true })],
    ['a row of another state', [NEW], row('file.managed:other', { changed: true })],
  ])('says when an apply leaves %s', (_, after, result) => {
    const { run, broken } = machine();
    run('apply', 'motd', [result], after);
    expect(broken).not.toEqual([]);
  });

  it('says when a dry run changes something, or foretells what is not true', () => {
    const changes = machine();
    changes.run('apply', 'motd', [row(MOTD, { changed: true })], [NEW], { isDry: true });
    expect(changes.broken.join()).toContain('a dry run changes nothing');
    const wrong = machine();
    wrong.run('apply', 'motd', [row(MOTD)], [OLD], { isDry: true });
    expect(wrong.broken.join()).toContain('a result says what is true');
  });

  it('takes old or new after a death in the middle, and nothing else', () => {
    for (const [found, isRight] of [
      [OLD, true],
      [NEW, true],
      [file('motd', ''), false],
      [file('motd', 'motd', 0o644), false],
    ] as const) {
      const { begin, book, disk, broken } = machine();
      begin('apply', 'motd');
      disk.now = [found];
      book.died();
      expect(broken.length === 0, JSON.stringify(found)).toBe(isRight);
    }
  });

  it('says when what was applied is gone later', () => {
    const { run, book, disk, broken } = machine();
    run('apply', 'motd', [row(MOTD, { changed: true })], [NEW]);
    disk.now = [OLD];
    book.died();
    expect(broken.join()).toContain('never torn');
  });

  it('says when a revert goes over what somebody else wrote, leaves a third content, or gives no reason', () => {
    const banner = file('motd', 'banner r1\n');
    const applied = () => {
      const made = machine();
      made.run('apply', 'motd', [row(MOTD, { changed: true })], [NEW]);
      return made;
    };
    const over = applied();
    over.run('apply', 'banner', [row('file.managed:banner', { changed: true })], [banner]);
    over.run('revert', 'job-1', [row(MOTD, { changed: true, diff: 'restored' })], [OLD]);
    expect(over.broken.join()).toContain('somebody else had changed');
    const third = applied();
    third.run('revert', 'job-1', [row(MOTD, { changed: true, diff: 'restored' })], [file('motd', 'third')]);
    expect(third.broken.join()).toContain('a run leaves what its results say');
    const silent = applied();
    silent.run('revert', 'job-1', [row(MOTD)], [NEW]);
    expect(silent.broken.join()).toContain('nothing says why');
    const passed = applied();
    passed.run('revert', '', [], [NEW]);
    expect(passed.broken.join()).toContain('was passed over');
    const further = applied();
    further.run('revert', '', [row(MOTD, { changed: true, diff: 'restored' })], [OLD]);
    further.run('revert', '', [row(MOTD, { changed: true, diff: 'restored' })], [OLD]);
    expect(further.broken.join()).toContain('there was nothing to undo');
    const refused = applied();
    refused.run('revert', 'job-1', [row(MOTD, { error: 'not today' })], [NEW]);
    expect(refused.broken.join()).toContain('although nothing had changed');
  });

  it('takes a refusal where somebody else wrote', () => {
    const { run, broken } = machine();
    const banner = file('motd', 'banner r1\n');
    run('apply', 'motd', [row(MOTD, { changed: true })], [NEW]);
    run('apply', 'banner', [row('file.managed:banner', { changed: true })], [banner]);
    run('revert', 'job-1', [row(MOTD, { error: 'its content is not what the run left' })], [banner]);
    expect(broken).toEqual([]);
  });

  it('expects less of runs that overlap', () => {
    const { begin, book, disk, broken } = machine();
    const left = begin('apply', 'motd');
    const dry = begin('apply', 'motd', { isDry: true });
    disk.now = [NEW];
    const end = { error: undefined, isCut: false, isDiskWell: true, mayNotCompile: false };
    book.end(dry, { ...end, results: [row(MOTD, { changed: true })] });
    book.end(left, { ...end, results: [row(MOTD, { changed: true })] });
    expect(broken).toEqual([]);
  });
});
