import { expect, it } from 'vitest';
import { SWITCHES, VALUES } from '../../sim/sim-options.ts';
import { simCommand } from './sim.ts';

it('offers every option that the simulator knows and no other: replays are printed with them', () => {
  const offered = simCommand.options.map(({ name, value }) => [name, value !== undefined]);
  const known = [...VALUES.map((name) => [name, true]), ...SWITCHES.map((name) => [name, false])];
  expect(offered.sort()).toEqual(known.sort());
});
