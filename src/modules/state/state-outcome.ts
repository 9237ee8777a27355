/** `stateOutcome` makes a run of states the outcome of a function. */
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { FunctionOutcome } from '../contract.ts';
import { errorAnswer } from '../error-answer.ts';
import type { StateRunOutcome } from './state-access.ts';

/** Where nothing could be run, the outcome has the reason and no result at all. */
export async function stateOutcome(work: () => Promise<StateRunOutcome>): Promise<FunctionOutcome> {
  try {
    const { note, ...states } = await work();
    if (note !== undefined) return { changed: false, result: note };
    const failed = states.results.filter(({ error }) => error !== '');
    const [first] = failed;
    return {
      changed: states.results.some(({ changed }) => changed),
      states,
      // For whoever called it from a template or a module.run, and does not see the results.
      ...(first === undefined
        ? {}
        : {
            error: `${failed.length} of ${states.results.length} states failed, ${first.name}: ${first.error}`,
          }),
    };
  } catch (error) {
    if (!isZesterError(error)) throw error;
    const { code } = error;
    return { changed: false, error: errorAnswer(error), code, states: { results: [], canceled: false } };
  }
}
