import { describe, expect, it } from 'vitest';
import { problems, states } from '../../../../test/harness/states/compiled-files.ts';

const TEMPLATE = [
  'before: test.nop',
  'one:',
  '  file.managed:',
  '    - name: /etc/one',
  '    - contents: x',
  '    - mode: "0640"',
  '    - order: 5',
  '    - onlyif: test -d /etc',
  '    - require: [test: before]',
  '    - listen: [test: before]',
].join('\n');

describe('use', () => {
  it.each([
    ['use', `${TEMPLATE}\ntwo: {file.managed: [{contents: y}, {use: [file: one]}]}`],
    ['use by name', `${TEMPLATE}\ntwo: {file.managed: [{contents: y}, {use: [file: /etc/one]}]}`],
    ['use_in', `${TEMPLATE}\n    - use_in: [file: two]\ntwo: {file.managed: [contents: y]}`],
  ])('takes what the state does not say itself, but for name, order and requisites: %s', async (_, text) => {
    const two = (await states(text)).find(({ id }) => id === 'two');
    expect(two?.values).toMatchObject({ name: 'two', contents: 'y', mode: 0o640 });
    expect(two?.attributes).toMatchObject({ order: 0, onlyif: ['test -d /etc'] });
    expect(two?.requisites.require).toEqual([]);
    expect(two?.requisites.watch).toEqual(['test.nop:before']);
  });

  it('takes the last of several, and nothing that was taken over itself', async () => {
    const text = [
      'a: {file.managed: [{mode: "0600"}, {contents: a}]}',
      'b: {file.managed: [{mode: "0611"}]}',
      'c: {file.managed: [{use: [file: a, file: b]}]}',
      'd: {file.managed: [{use: [file: c]}]}',
    ].join('\n');
    const made = await states(text);
    expect(made.map(({ values }) => [values.mode, values.contents])).toEqual([
      [0o600, 'a'],
      [0o611, undefined],
      [0o611, 'a'],
      [undefined, undefined],
    ]);
  });

  it('refuses what names nothing', async () => {
    expect(await problems('one: test.nop\ntwo:\n  test.nop:\n    - use:\n      - test: oen\n')).toEqual([
      'web.sls:5:9 test.nop of two: use: there is no test state oen | did you mean one?',
    ]);
  });
});
