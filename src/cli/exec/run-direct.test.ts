import { expect, it } from 'vitest';
import type { PeelId } from '../../wire/names/ids.ts';
import { leftAlone } from './run-direct.ts';

const [WEB, DB] = ['web-01', 'db-01'] as [PeelId, PeelId];

it('who leaves is told until when it may run where nothing was heard, not that it runs', () => {
  expect(leftAlone([WEB, DB], new Map([[DB, {}]]), 1_770_733_845_000).message).toBe(
    'interrupted while waiting for 1 of 2 peels to answer: what was asked may run there until 2026-02-10T14:30:45Z, and its answer is lost: web-01',
  );
});
