import { expect, it } from 'vitest';
import type { Jid } from '../../wire/names/ids.ts';
import { noRecordText } from './job-list.ts';

it('a job that only the index knows is told by its id, and who will clean it up', () => {
  const gone = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
  expect(noRecordText(gone)).toBe(
    `the index names job ${gone}, which has no record; a master will clean it up`,
  );
});
