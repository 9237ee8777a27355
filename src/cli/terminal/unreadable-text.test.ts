import { describe, expect, it } from 'vitest';
import type { UnreadableRecord } from '../../client/client-context.ts';
import { unreadableText } from './unreadable-text.ts';

describe('what is said of a record that cannot be read', () => {
  it.each<[UnreadableRecord['kind'], string]>([
    ['job', 'job record k'],
    ['row', 'the row of k'],
    ['return', 'a return of k'],
    ['facts', 'the record facts of k'],
    ['heartbeat', 'the record heartbeat of k'],
  ])('%s', (kind, words) => {
    expect(unreadableText({ kind, key: 'k', problem: 'p' })).toBe(
      `${words} cannot be read and is left out: p`,
    );
  });

  it('is one line without control characters, whatever the key is', () => {
    const said = unreadableText({ kind: 'facts', key: 'a\n\u001b[31mb', problem: 'p' });
    expect(said).not.toMatch(/\p{Cc}/u);
    expect(said).toContain('cannot be read and is left out');
  });

  it('goes by another name where the command has one', () => {
    expect(unreadableText({ kind: 'row', key: 'web-01', problem: 'p' }, 'the row')).toMatch(
      /^the row web-01 /,
    );
  });
});
