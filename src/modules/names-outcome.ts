import type { FunctionOutcome } from './contract.ts';

/** `namesOutcome` gives names as an answer: a list for programs and templates, one on a line for people. */
export function namesOutcome(names: readonly string[]): Pick<FunctionOutcome, 'result' | 'details'> {
  return { result: names, details: { result: names.join('\n') } };
}
