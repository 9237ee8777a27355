/**
 * Any steps of any states, then every state reverted from the last to the first: the tree is what it was, byte for
 * byte, with modes and owners, and the dry run before it told so.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, UndoWorld } from '../../../test/harness/states/undo-world.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { FileStep } from '../../system/file-steps.ts';
import { plannedFiles } from '../../system/planned-files.ts';

const path = fc.constantFrom(
  ...['a', 'b', 'a/a', 'a/b', 'b/a', 'a/a/a', 'a//b', 'a/../b', 'a/./a/../b'].map(at),
);
const mode = fc.constantFrom(0o644, 0o4755, 0o2750, 0o700, 0o6711);
const owner = fc.record({ uid: fc.constantFrom(0, 3), gid: fc.constantFrom(0, 4) }, { requiredKeys: [] });
const step: fc.Arbitrary<FileStep> = fc.oneof(
  fc
    .record(
      {
        kind: fc.constant('write' as const),
        path,
        bytes: fc.constantFrom('', 'x', 'y').map((text) => Buffer.from(text)),
        mode,
        owner,
      },
      { requiredKeys: ['kind', 'path', 'bytes'] },
    )
    .map((made) => made as FileStep),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('make-directory' as const), path, mode, owner }) },
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path, target: fc.constantFrom('b', 'nowhere', at('a')) }),
  fc.record({ kind: fc.constant('chmod' as const), path, mode }),
  fc.record({ kind: fc.constant('chown' as const), path, owner }),
);

/** Failures of earlier runs. A link that was made again with its old target lost its owner. */
const FOUND_ONCE: [FileStep[], FileStep[][]][] = [
  [
    [
      { kind: 'link', path: at('b'), target: 'nowhere' },
      { kind: 'chown', path: at('b'), owner: { gid: 4 } },
    ],
    [[{ kind: 'link', path: at('b'), target: 'nowhere' }]],
  ],
];

/** One state. Where a step fails it goes on, so that much happens; a record of what was not done harms nobody. */
async function apply(world: UndoWorld, state: string, steps: readonly FileStep[]): Promise<void> {
  for (const each of steps)
    try {
      await world.apply(state, [each], 'run');
    } catch (error) {
      if (!isZesterError(error)) throw error;
    }
}

describe('random steps', () => {
  it('are undone to the last bit, as the dry run said', async () => {
    let seed = 0;
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        async (initial, states) => {
          const world = await UndoWorld.make({ seed: ++seed });
          await apply(world, 'initial', initial);
          const before = await world.tree();
          for (const [index, steps] of states.entries()) await apply(world, `state-${index}`, steps);
          const left = await world.tree();
          world.restart();

          const names = states.map((_, index) => `state-${index}`).reverse();
          const view = plannedFiles({ base: world.files, clock: world.clock });
          const predicted = [];
          for (const name of names) predicted.push(await world.revert(name, { view }));
          expect(await world.tree()).toEqual(left);
          for (const [index, name] of names.entries()) {
            const outcome = await world.revert(name);
            expect(outcome).toEqual(predicted[index]);
            expect(outcome).toMatchObject({ kept: [], error: undefined });
            if (outcome.changed) changed++;
          }
          expect(await world.tree()).toEqual(before);
        },
      ),
      { numRuns: 300, examples: FOUND_ONCE },
    );
    expect(changed).toBeGreaterThan(100);
  }, 120_000);
});
