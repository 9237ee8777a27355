import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';

const facts: WireMap = { os: { family: 'debian', tags: ['a', 'b'] }, cpu: { count: 2 }, role: 'web' };

describe('asking for facts', () => {
  it.each([
    ['facts.get', 'os.family', {}, 'debian'],
    ['facts.get', '', { key: 'cpu.count' }, '2'],
    ['facts.get', 'os', {}, 'family: debian\ntags:\n  - a\n  - b'],
    ['facts.get', 'os.tags', {}, '- a\n- b'],
    ['facts.get', 'os.nothing', {}, ''],
    ['facts.get', 'role', { default: 'none' }, 'web'],
    ['facts.get', 'rack', { default: 'none' }, 'none'],
    ['facts.get', 'constructor.name', {}, ''],
    ['facts.keys', '', {}, 'cpu\nos\nrole'],
    ['facts.items', '', {}, 'cpu:\n  count: 2\nos:\n  family: debian\n  tags:\n    - a\n    - b\nrole: web'],
    ['grains.get', 'os.family', {}, 'debian'],
    ['grains.item', 'role', {}, 'web'],
  ])('%s %s %j', async (name, id, args, text) => {
    const response = await memoryContext(facts).run(name, id, args);
    expect(response.success).toBe(true);
    expect(response.results[0]).toMatchObject({ name, changed: false, details: { result: text } });
  });
});

describe('facts.set', () => {
  async function set(key: string, value: string | number, test = false) {
    const { run, context } = memoryContext(facts);
    const response = await run('facts.set', key, { value, test });
    return { result: response.results[0], after: context.facts.all() };
  }

  it.each([
    ['role', 'db', 'db', 'role: "web" → "db"'],
    ['rack.row', '3', 3, 'rack.row: not set → 3'],
    ['spare', 'yes', true, 'spare: not set → true'],
    ['zip', '"01234"', '01234', 'zip: not set → "01234"'],
    ['tags', '["a", 1]', ['a', 1], 'tags: not set → ["a", 1]'],
  ])('sets %s to %s', async (key, given, value, diff) => {
    const dry = await set(key, given, true);
    expect(dry.after).toBe(facts);
    const real = await set(key, given);
    expect(real.result).toMatchObject({ changed: true, diff, error: '' });
    expect(dry.result).toMatchObject({ changed: true, diff, error: '' });
    const top = key.split('.')[0] ?? '';
    expect(real.after[top]).toEqual(key.includes('.') ? { row: value } : value);
  });

  it('changes nothing where it is so already', async () => {
    const { result, after } = await set('role', 'web');
    expect(result).toMatchObject({ changed: false, diff: '', error: '' });
    expect(after).toBe(facts);
  });

  it('takes 5 and "5" for two things', async () => {
    const { run } = memoryContext({ port: 5 });
    expect((await run('facts.set', 'port', { value: '5' })).results[0]?.changed).toBe(false);
    expect((await run('facts.set', 'port', { value: '"5"' })).results[0]?.changed).toBe(true);
  });

  it.each([
    ['os', 'x', 'os belongs to Zester'],
    ['os.family', 'x', 'os belongs to Zester'],
    ['_curve_public_key', 'x', '_curve_public_key belongs to Zester'],
    ['role.deep', 'x', 'role is not a map'],
    ['a..b', 'x', 'a name between the dots is empty'],
    ['__proto__', 'x', 'not allowed'],
    [Array.from({ length: 17 }, () => 'a').join('.'), 'x', 'more than 16 levels deep'],
    ['rack', '{row: 3}', 'value must be text or JSON'],
  ])('refuses %s=%s, also in a dry run', async (key, value, reason) => {
    for (const test of [true, false]) {
      const { result, after } = await set(key, value, test);
      expect(result?.error).toContain(reason);
      expect(after).toBe(facts);
    }
  });
});
