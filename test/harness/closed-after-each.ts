/** `closedAfterEach` makes worlds for one file of tests: whatever a test made is closed when the test has ended. */
import { afterEach } from 'vitest';

export function closedAfterEach<World extends { close(): Promise<void> }, Given extends unknown[] = []>(
  make: (...given: Given) => World,
): (...given: Given) => World {
  const worlds: World[] = [];
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close();
  });
  return (...given) => {
    const world = make(...given);
    worlds.push(world);
    return world;
  };
}
