import { describe, expect, it } from 'vitest';
import { SecretBook } from '../../core/redact/secret-book.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { FactsOptions } from './collect-facts.ts';
import { factsStore } from './facts-store.ts';

const silent = () => undefined;
const log: FactsOptions['log'] = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  with: () => log,
};
const own = { version: '1.2.3', protocol: 1, curvePublicKey: undefined };
const FILE = '/etc/zester/facts';

function storeOn(text = '', secrets = new SecretBook()) {
  const system = memorySystem({ clock: virtualClock(), random: seededRandom(1) });
  const seen: WireMap[] = [];
  const store = factsStore(system, { log, own, secrets, onFacts: (facts) => void seen.push(facts) });
  const write = async (content: string) => {
    await system.files.makeDirectory('/etc/zester');
    await system.files.writeAtomic(FILE, Buffer.from(content));
  };
  return { system, store, seen, write, ready: text === '' ? Promise.resolve() : write(text) };
}

describe('the facts store', () => {
  it('has facts after the first refresh, and nothing that is not known', async () => {
    const { store, ready } = storeOn('role: web\n');
    await ready;
    expect(store.all()).toEqual({});
    await store.refresh();
    expect(store.all()).toEqual({
      os: { name: 'linux' },
      role: 'web',
      zester_version: '1.2.3',
      protocol_version: 1,
    });
    expect([store.get('os.name'), store.get('os.nothing'), store.get('role')]).toEqual([
      'linux',
      undefined,
      'web',
    ]);
  });

  it('forgets a custom fact whose line is gone, and keeps them while the file is broken', async () => {
    const { store, write } = storeOn();
    await write('role: web\nenv: prod\n');
    await store.refresh();
    await write('role: web\n');
    await store.refresh(['custom']);
    expect(store.get('env')).toBeUndefined();
    await write('role:\n  - broken\n');
    await store.refresh();
    expect(store.get('role')).toBe('web');
  });

  it('keeps no secret: one that is set becomes its marker, in file and memory', async () => {
    const secrets = new SecretBook();
    const { store, system } = storeOn('', secrets);
    secrets.learn('db.password', 'hunter22');
    await store.setCustom('note', { text: 'it is hunter22', list: ['hunter22'] });
    expect(store.get('note')).toEqual({ text: 'it is [secret db.password]', list: ['[secret db.password]'] });
    expect(Buffer.from((await system.files.read(FILE)) ?? []).toString()).not.toContain('hunter22');
  });

  it('sets a custom fact in file and memory, and tells', async () => {
    const { store, seen, system } = storeOn();
    await store.refresh();
    await store.setCustom('rack.row', 3);
    expect(store.get('rack')).toEqual({ row: 3 });
    expect(seen.at(-1)).toBe(store.all());
    expect(Buffer.from((await system.files.read(FILE)) ?? []).toString()).toBe(
      '{\n  "rack": {\n    "row": 3\n  }\n}\n',
    );
  });

  it('does not lose a set to a refresh that read the file before', async () => {
    const { system } = storeOn();
    let slow = true;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const read: typeof system.files.read = async (path, options) => {
      const bytes = await system.files.read(path, options);
      if (path === FILE && slow) await released;
      return bytes;
    };
    const store = factsStore({ ...system, files: { ...system.files, read } }, { log, own });
    const refresh = store.refresh(['custom']);
    // Whatever comes after the refresh reads at once.
    await new Promise((resolve) => setImmediate(resolve));
    slow = false;
    const set = store.setCustom('role', 'db');
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await Promise.all([refresh, set]);
    expect(store.get('role')).toBe('db');
  });

  it('has the facts of operators in their place, and neither a set nor what is published touches them', async () => {
    const { system, write } = storeOn();
    await write('role: local\nsite: here\n');
    const words = { tags: { role: 'tag' }, facts: { role: 'web' } };
    const store = factsStore(system, { log, own, words: () => words });
    await store.refresh();
    expect([store.all().role, store.get('role'), store.get('site')]).toEqual(['web', 'web', 'here']);
    expect([store.own().role, store.words()]).toEqual(['local', words]);
    await expect(store.setCustom('role', 'mine')).rejects.toMatchObject({ code: 'FACT_NOT_SETTABLE' });
  });

  it('goes on after a set that was refused', async () => {
    const { store } = storeOn();
    const refused = store.setCustom('os', 1);
    const set = store.setCustom('role', 'db');
    await expect(refused).rejects.toThrow('os belongs to Zester');
    await set;
    expect(store.get('role')).toBe('db');
  });
});
