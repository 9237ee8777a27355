import { describe, expect, it } from 'vitest';
import { jsonLog, type LogOptions, redactedLog } from './log.ts';
import { virtualClock } from './virtual-clock.ts';

function logged(options: Partial<LogOptions>, write: (log: ReturnType<typeof jsonLog>) => void): unknown[] {
  const lines: string[] = [];
  write(jsonLog({ clock: virtualClock(0), write: (line) => lines.push(line), ...options }));
  return lines.map((line) => {
    expect(line.endsWith('\n')).toBe(true);
    expect(line.trimEnd()).not.toContain('\n');
    return JSON.parse(line);
  });
}

describe('jsonLog', () => {
  it('writes one JSON object a line, with time, level and message first', () => {
    const lines = logged({}, (log) => log.with({ peel: 'web-01' }).info('job accepted', { jid: 'x' }));
    expect(lines).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'info', msg: 'job accepted', peel: 'web-01', jid: 'x' },
    ]);
    expect(Object.keys(lines[0] as object).slice(0, 3)).toEqual(['time', 'level', 'msg']);
  });

  it('leaves out what is below its level', () => {
    const lines = logged({ level: 'warn' }, (log) => {
      log.debug('a');
      log.info('b');
      log.warn('c');
      log.error('d');
    });
    expect(lines.map((line) => (line as { msg: string }).msg)).toEqual(['c', 'd']);
  });

  it('shows every text to the redaction hook, also in nested values, errors and their causes', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
    const cause = new RangeError('inner hunter2');
    const lines = logged({ redact }, (log) =>
      log.info('password hunter2', {
        list: ['hunter2'],
        deep: { a: { b: 'hunter2' } },
        error: new RangeError('hunter2', { cause }),
      }),
    );
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(JSON.stringify(lines).match(/\[secret\]/g)).toHaveLength(5);
  });

  it('cuts a long text behind the redaction, so that no half of a secret is left', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
    const [line] = logged({ redact }, (log) => log.info('long', { text: `${'a'.repeat(8_189)}hunter2` }));
    expect(JSON.stringify(line)).not.toContain('hun');
  });

  it('can be redacted from outside: texts, fields that every line has, errors and their causes', () => {
    let hidden = 'not yet known';
    const redact = (text: string) => text.replaceAll(hidden, '[secret]');
    const lines = logged({}, (log) => {
      const safe = redactedLog(log, redact).with({ file: '/etc/hunter2' });
      hidden = 'hunter2';
      safe.warn('with hunter2', { error: new Error('it is hunter2', { cause: new Error('for hunter2') }) });
    });
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'with [secret]',
        file: '/etc/[secret]',
        error: { error: 'it is [secret]', cause: { error: 'for [secret]' } },
      },
    ]);
  });

  it('escapes what a terminal obeys: messages, names and values are often a stranger’s words', () => {
    const words = 'a\u001b[2J\u009b31m\u202e\u2028\u200bz';
    let line = '';
    const write = (text: string) => {
      line = text;
    };
    jsonLog({ clock: virtualClock(0), write }).warn(words, { [words]: [words, new Error(words)] });
    expect(line).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(line)).toMatchObject({ msg: words, [words]: [words, { error: words }] });
  });

  it('survives what JSON cannot say', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const [line] = logged({}, (log) =>
      log.info('x', { big: 2n ** 70n, bytes: new Uint8Array(3), loop, text: 'y'.repeat(10_000) }),
    );
    const { big, bytes, text } = line as Record<string, string>;
    expect([big, bytes]).toEqual([String(2n ** 70n), '3 bytes']);
    expect(text?.length).toBeLessThan(9_000);
  });
});
