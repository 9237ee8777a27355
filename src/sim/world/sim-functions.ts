/**
 * These are the functions that simulated peels have besides states: they take their time, fail, answer at length, and
 * tell that they were called.
 */
import { optional, required, withDefault } from '../../core/params/params.ts';
import { action, type ExecutionFunction, type FunctionContext, query } from '../../modules/contract.ts';
import { sleep } from '../../runtime/clock.ts';

export const ACT = 'sim.act';
export const LOOK = 'sim.look';
/** Sets a custom fact, which the peel then has to publish. */
export const MARK = 'sim.mark';

/** `effect` is called with the job's id at the moment when a function begins. */
export function simFunctions(effect: (jid: string) => void): readonly ExecutionFunction[] {
  const params = {
    jid: required('string', { doc: 'The job, to count its runs.' }),
    ms: withDefault('integer', 0, { doc: 'How long it takes.' }),
    fail: optional('boolean', { doc: 'It ends with an error.' }),
    bytes: withDefault('integer', 2, { doc: 'Length of the answer.' }),
  };
  type Values = { jid: string; ms: number; fail: boolean | undefined; bytes: number };
  const work = async (values: Values, { clock, signal }: Pick<FunctionContext, 'clock' | 'signal'>) => {
    effect(values.jid);
    if (values.ms > 0) await sleep(clock, values.ms, signal);
    return values.fail ? { error: 'it was told to fail' } : { result: 'x'.repeat(values.bytes) };
  };
  const examples = ['zester sim'] as const;
  return [
    action({
      name: ACT,
      summary: 'Changes the machine, at the worker.',
      params,
      examples,
      changesMachine: true,
      preview: async () => ({ changed: true }),
      run: async (values, context) => ({ changed: true, ...(await work(values, context)) }),
    }),
    action({
      name: MARK,
      summary: 'Sets a custom fact.',
      params,
      examples,
      changesMachine: true,
      preview: async () => ({ changed: true }),
      run: async (values, context) => {
        const answer = await work(values, context);
        await context.facts.setCustom('mark', values.jid);
        return { changed: true, ...answer };
      },
    }),
    query({
      name: LOOK,
      summary: 'Looks, among the readers.',
      params,
      examples,
      run: async (values, context) => ({ changed: false, ...(await work(values, context)) }),
    }),
  ];
}
