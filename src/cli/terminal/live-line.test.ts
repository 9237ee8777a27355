import { expect, it } from 'vitest';
import { aboveLiveLine, liveLine } from './live-line.ts';

const CLEAR = '\r\u001b[2K';

it('what is said while the line stands takes its place, and the line comes again below', () => {
  const written: string[] = [];
  const say = aboveLiveLine((text) => written.push(text));
  const line = liveLine(say, () => 80);
  say('before\n');
  line.show('1/2 returned');
  say('zester: a warning\n');
  say('another\n');
  line.show('2/2 returned');
  line.clear();
  say('after\n');
  expect(written).toEqual([
    'before\n',
    `${CLEAR}1/2 returned`,
    CLEAR,
    'zester: a warning\n',
    'another\n',
    `${CLEAR}2/2 returned`,
    CLEAR,
    'after\n',
  ]);
});
