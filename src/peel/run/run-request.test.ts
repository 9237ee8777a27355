import { describe, expect, it } from 'vitest';
import { NO_SETTINGS } from '../../core/settings/resolved-settings.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import { action, type FunctionContext } from '../../modules/contract.ts';
import { functionRegistry } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import type { Log } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { ABANDON_MS } from './execution.ts';
import { runRequest } from './run-request.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** One request whose function does what a test wants, on a mirror that counts its readers. */
function requestWith(run: (context: FunctionContext) => Promise<void>) {
  const clock = virtualClock();
  const random = seededRandom(1);
  const system = memorySystem({ clock, random, files: { '/tree/top.zy': "base:\n  '*': []\n" } });
  const stop = new AbortController();
  const seen = { pins: 0, released: 0 };
  const mirror = {
    cache: '/cache',
    catchUp: async () => '',
    pin: async () => {
      seen.pins += 1;
      const release = () => {
        seen.released += 1;
      };
      return { directory: '/tree', revision: 6 + seen.pins, identity: '', release };
    },
  };
  const fn = action({
    name: 'test.act',
    summary: 'Does what the test wants.',
    params: {},
    examples: ['zester'],
    changesMachine: true,
    preview: async () => ({ changed: false }),
    run: async (_, context) => {
      await run(context);
      return { changed: false };
    },
  });
  const request = { jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid, module: 'test.act', id: '', args: {} };
  const response = runRequest(request, stop.signal, {
    system,
    facts: { all: () => ({}), words: () => NO_WORDS, get: () => undefined, setCustom: async () => undefined },
    runtime: { clock, random, log: silent },
    peelId: 'web-01' as PeelId,
    version: '1',
    functions: functionRegistry([fn]),
    states: {
      modules: STATE_MODULES,
      sources: { mirror, bakedDir: undefined },
      settings: { use: async () => ({ resolved: NO_SETTINGS, revision: 0, note: '' }) },
      journal: undefined as never,
    },
  });
  return { response, seen, clock, stop };
}

const top = { states: { by: 'top' }, settings: {} } as const;

describe('a request', () => {
  it('uses one tree however often it asks for states, names it, and lets it go at its end', async () => {
    const { response, seen } = requestWith(async ({ states }) => {
      await states.show('top', top);
      await states.show('top', top);
    });
    expect((await response).statesRevision).toBe(7);
    expect(seen).toEqual({ pins: 1, released: 1 });
  });

  it('that asks for no states pins nothing', async () => {
    const { response, seen } = requestWith(async () => undefined);
    expect((await response).statesRevision).toBe(0);
    expect(seen).toEqual({ pins: 0, released: 0 });
  });

  it('that fails lets its tree go', async () => {
    const { response, seen } = requestWith(async ({ states }) => {
      await states.show('top', top);
      throw new TypeError('a bug');
    });
    await expect(response).rejects.toThrow('a bug');
    expect(seen).toEqual({ pins: 1, released: 1 });
  });

  it('that does not end when it is told to is left behind, and its tree is let go', async () => {
    const { seen, clock, stop } = requestWith(async ({ states }) => {
      await states.show('top', top);
      await new Promise(() => undefined);
    });
    await clock.advance(ABANDON_MS);
    stop.abort();
    await clock.advance(ABANDON_MS - 1);
    expect(seen.released).toBe(0);
    await clock.advance(1);
    expect(seen).toEqual({ pins: 1, released: 1 });
  });
});
