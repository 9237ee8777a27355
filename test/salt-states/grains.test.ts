/** Grains of the machines in scripts/record-salt/grain_machines.py: what Salt says of them, and what a peel says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grainsOf } from '../../src/core/states/template/grain-names.ts';
import { osFacts } from '../../src/peel/facts/os-facts.ts';
import { seededRandom } from '../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../src/runtime/virtual-clock.ts';
import { memorySystem } from '../../src/system/memory/memory-machine.ts';
import type { WireMap } from '../../src/wire/msgpack/wire-value.ts';

interface Machine {
  readonly files: Readonly<Record<string, string>>;
  readonly grains: WireMap;
}

const RECORDED = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/salt-grains/grains.json'), 'utf8'),
) as {
  readonly salt: WireMap;
  readonly distributions: Readonly<Record<string, Machine>>;
  readonly hardware: Readonly<Record<string, Machine>>;
};

/** Only what /etc/lsb-release says, which peels do not read. */
const NOT_THERE = ['lsb_distrib_description'];

async function grainsOn(machine: Machine): Promise<WireMap> {
  const { files } = memorySystem({
    clock: virtualClock(),
    random: seededRandom(1),
    programs: () => undefined,
  });
  for (const [path, text] of Object.entries(machine.files)) {
    await files.makeDirectory(path.slice(0, path.lastIndexOf('/')) || '/', { parents: true });
    await files.writeAtomic(path, Buffer.from(text), { mode: 0o644 });
  }
  return grainsOf({ os: await osFacts(files) }, 'web-01');
}

/** Of ours, those that Salt has. */
function among(ours: WireMap, names: Iterable<string>): WireMap {
  return Object.fromEntries(
    [...names].filter((name) => ours[name] !== undefined).map((name) => [name, ours[name] ?? null]),
  );
}

describe('grains as Salt gives them', () => {
  const names = new Set(Object.values(RECORDED.distributions).flatMap(({ grains }) => Object.keys(grains)));
  for (const name of NOT_THERE) names.delete(name);

  it.each(Object.entries(RECORDED.distributions))('%s', async (_, machine) => {
    expect(among(await grainsOn(machine), names)).toEqual(among(machine.grains, names));
  });

  it.each(Object.entries(RECORDED.hardware))('on %s', async (_, machine) => {
    expect(among(await grainsOn(machine), ['virtual', 'virtual_subtype'])).toEqual(machine.grains);
  });

  it('the version', () => {
    expect(grainsOf({}, 'web-01')).toMatchObject(RECORDED.salt);
  });
});
