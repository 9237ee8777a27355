/** What simulated peels can do: take their time, and tell that they were called. */

import { required, withDefault } from '../core/params/params.ts';
import { action, type FunctionRegistry, query } from '../modules/contract.ts';
import { functionRegistry } from '../modules/registry.ts';
import { sleep } from '../runtime/clock.ts';

export const ACT = 'sim.act';
export const LOOK = 'sim.look';

/** `effect` is called with the job's id at the moment when a function begins. */
export function simFunctions(effect: (jid: string) => void): FunctionRegistry {
  const jid = required('string', { doc: 'The job, to count its runs.' });
  const ms = withDefault('integer', 0, { doc: 'How long it takes.' });
  const examples = ['zester sim'] as const;
  return functionRegistry([
    action({
      name: ACT,
      summary: 'Changes the machine, at the worker.',
      params: { jid, ms },
      examples,
      changesMachine: true,
      preview: async () => ({ changed: true }),
      run: async (values, { clock, signal }) => {
        effect(values.jid);
        if (values.ms > 0) await sleep(clock, values.ms, signal);
        return { changed: true, result: 'done' };
      },
    }),
    query({
      name: LOOK,
      summary: 'Looks, among the readers.',
      params: { jid, ms },
      examples,
      run: async (values, { clock, signal }) => {
        effect(values.jid);
        if (values.ms > 0) await sleep(clock, values.ms, signal);
        return { changed: false, result: true };
      },
    }),
  ]);
}
