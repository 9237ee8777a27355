import { expect, it } from 'vitest';
import { readSubjects } from './stream-subjects.ts';

/** As nats-server does it: sorted, `pageMax` at a time, from the one with the asked number on. */
function leader(subjects: () => readonly string[], pageMax: number) {
  const asked: number[] = [];
  const call = async (_: string, body: object) => {
    const { offset } = body as { offset: number };
    asked.push(offset);
    const all = [...subjects()].sort();
    const page = all.slice(offset, offset + pageMax);
    return { total: all.length, state: { subjects: Object.fromEntries(page.map((name) => [name, 1])) } };
  };
  return { call, asked };
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `s.${String(i).padStart(6, '0')}`);

it('reads page after page until it has all', async () => {
  const { call, asked } = leader(() => names(12_000), 5_000);
  expect([...(await readSubjects({ call }, 'x', 's.>')).keys()]).toEqual(names(12_000));
  expect(asked.length).toBe(3);
});

it('a subject that stays is not missed when others end between two pages', async () => {
  let asked = 0;
  // Each question finds two hundred fewer, all of them before the place where the next page begins.
  const { call } = leader(() => names(12_000).slice(200 * asked++), 5_000);
  const found = await readSubjects({ call }, 'x', 's.>');
  for (const name of names(12_000).slice(600)) expect(found.has(name)).toBe(true);
});

it('nothing under the filter is one question', async () => {
  const { call, asked } = leader(() => [], 5_000);
  expect((await readSubjects({ call }, 'x', 's.>')).size).toBe(0);
  expect(asked).toEqual([0]);
});
