import { describe, expect, it } from 'vitest';
import { bugText } from './last-words.ts';

describe('the last words of a daemon', () => {
  it('about a bug are its stack and causes, and nothing else that hangs on it', () => {
    const cause = new Error('the reason');
    const error = Object.assign(new Error('broken', { cause }), { hangsOnIt: 'not for the eyes' });
    const text = bugText(error);
    expect(text).toMatch(
      /^this is a bug\.\nError: broken\n {4}at [\s\S]*\ncaused by Error: the reason\n {4}at /,
    );
    expect(text).not.toContain('not for the eyes');
    error.cause = error;
    expect(bugText(error).split('caused by')).toHaveLength(11);
    expect(bugText('a text')).toBe('this is a bug.\na text');
  });
});
