import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { parseCustomFacts, readCustomFacts, setCustomFact } from './custom-facts.ts';

const FILE = '/etc/zester/facts';
const parse = (text: string) => parseCustomFacts(text, FILE);

describe('the custom facts file', () => {
  it('is lines of key: value', () => {
    const text = [
      '---',
      '# who we are',
      'role: database   # the big one',
      'env : prod',
      'rack: {"row": 3, "unit": 12}   # in the cellar',
      'url: http://a/b#c',
      'spare: no',
      'note: "a # b: c"',
      'later:',
      '',
    ].join('\r\n');
    expect(parse(text)).toEqual({
      role: 'database',
      env: 'prod',
      rack: { row: 3, unit: 12 },
      url: 'http://a/b#c',
      spare: false,
      note: 'a # b: c',
      later: null,
    });
  });

  it('or a JSON object', () => {
    expect(parse('\n{"role": "web", "rack": {"row": 3}}\n')).toEqual({ role: 'web', rack: { row: 3 } });
  });

  it('or empty', () => {
    expect([parse(''), parse('\n# nothing\n')]).toEqual([{}, {}]);
  });

  it.each([
    ['a: 1\nb:\n  c: 2\n', '3: expected key: value, with maps and lists written as JSON'],
    ['a: 1\n- b\n', '2: expected key: value'],
    ['a: 1\nrack: {row: 3}\n', '2: the value of rack is neither plain text nor JSON'],
    ['a: 1\na: 2\n', '2: a is there twice'],
    ['a b: 1\n', '1: a b cannot be the name of a fact'],
    ['a.b: 1\n', '1: a.b cannot be the name of a fact'],
    ['"a": 1\n', '1: "a" cannot be the name of a fact'],
    ['__proto__: 1\n', '1: __proto__ cannot be the name of a fact'],
    ['role: web\nos: mine\n', '2: the fact os belongs to Zester'],
    ['{\n  "a": 1,\n  oops\n}', '3: this is not valid JSON'],
    ['{"__proto__": 1}', '1: these facts cannot be sent'],
    [`{"a": ${'['.repeat(70)}${']'.repeat(70)}}`, '1: these facts cannot be sent'],
  ])('%j is refused with its line', (text, message) => {
    expect(() => parse(text)).toThrow(`${FILE}:${message}`);
  });
});

describe('setCustomFact', () => {
  const machine = () => memorySystem({ clock: virtualClock(), random: seededRandom(1) });

  it('makes file and directory, and adds to what is there', async () => {
    const { files } = machine();
    await setCustomFact(files, FILE, 'role', 'web');
    expect((await files.stat(FILE))?.mode).toBe(0o644);
    await files.chmod(FILE, 0o600);
    await setCustomFact(files, FILE, 'rack.row', 3);
    expect(await readCustomFacts(files, FILE)).toEqual({ role: 'web', rack: { row: 3 } });
    // An operator's own mode stays.
    expect((await files.stat(FILE))?.mode).toBe(0o600);
  });

  it('loses none of many at once', async () => {
    const { files } = machine();
    const names = Array.from({ length: 20 }, (_, index) => `fact_${index}`);
    await Promise.all(names.map((name, index) => setCustomFact(files, FILE, name, index)));
    expect(Object.keys(await readCustomFacts(files, FILE)).sort()).toEqual(names.sort());
  });

  it('leaves a file alone that it cannot read, and one it may not write', async () => {
    const { files } = machine();
    await files.makeDirectory('/etc/zester');
    const text = 'a:\n  b: 1\n';
    await files.writeAtomic(FILE, Buffer.from(text));
    await expect(setCustomFact(files, FILE, 'role', 'web')).rejects.toThrow(`${FILE}:2`);
    expect(Buffer.from((await files.read(FILE)) ?? []).toString()).toBe(text);
    await files.writeAtomic(FILE, Buffer.from('role: web\n'));
    for (const [path, value] of [
      ['os', 1],
      ['role.deep', 1],
    ] as const)
      await expect(setCustomFact(files, FILE, path, value)).rejects.toThrow('cannot set the fact');
    await expect(setCustomFact(files, FILE, 'big', nested(70))).rejects.toThrow('cannot be sent');
    expect(await readCustomFacts(files, FILE)).toEqual({ role: 'web' });
  });
});

function nested(depth: number): { readonly [key: string]: never } {
  return (depth === 0 ? {} : { a: nested(depth - 1) }) as { readonly [key: string]: never };
}
