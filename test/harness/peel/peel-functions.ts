/**
 * These are functions that count their runs by the jid they are given, and take, say or ignore what a test wants them
 * to.
 */

import { required, withDefault } from '../../../src/core/params/params.ts';
import { action, type FunctionRegistry, query } from '../../../src/modules/contract.ts';
import { functionRegistry } from '../../../src/modules/registry.ts';
import { sleep } from '../../../src/runtime/clock.ts';

export function countingFunctions(count: (jid: string) => void): FunctionRegistry {
  const run = required('string', { doc: 'The jid, to count its runs.' });
  const ms = withDefault('integer', 0, { doc: 'How long it takes.' });
  const examples = ['zester'] as const;
  const nothing = async () => ({ changed: false });
  return functionRegistry([
    action({
      name: 'test.act',
      summary: 'Takes its time at the worker.',
      params: { run, ms },
      examples,
      changesMachine: true,
      preview: nothing,
      run: async (values, { clock, signal }) => {
        count(values.run);
        if (values.ms > 0) await sleep(clock, values.ms, signal);
        return { changed: true, result: 'done' };
      },
    }),
    action({
      name: 'test.deaf',
      summary: 'Never ends, whatever the signal says.',
      params: { run },
      examples,
      changesMachine: true,
      preview: nothing,
      run: async (values) => {
        count(values.run);
        return neverSettles();
      },
    }),
    query({
      name: 'test.look',
      summary: 'Takes its time among the readers.',
      params: { run, ms },
      examples,
      run: async (values, { clock, signal }) => {
        count(values.run);
        if (values.ms > 0) await sleep(clock, values.ms, signal);
        return { changed: false, result: true };
      },
    }),
    query({
      name: 'test.big',
      summary: 'Says much.',
      params: { run, chars: required('integer', { doc: 'How much.' }) },
      examples,
      run: async (values) => {
        count(values.run);
        return { changed: false, result: 'x'.repeat(values.chars) };
      },
    }),
    query({
      name: 'test.broken',
      summary: 'Has a bug.',
      params: { run },
      examples,
      run: async (values) => {
        count(values.run);
        throw new TypeError('undefined is not a function');
      },
    }),
  ]);
}

export function neverSettles<T>(): Promise<T> {
  return new Promise(() => undefined);
}
