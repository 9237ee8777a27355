/** `callRecorded` calls one of our filters with recorded arguments, and gives the answer in the form of the record. */
import { createHash, createHmac } from 'node:crypto';
import { Environment } from '../../src/core/jinja/environment.ts';
import { TemplateError } from '../../src/core/jinja/errors.ts';
import { Func } from '../../src/core/jinja/values/func.ts';
import type { Value } from '../../src/core/jinja/values/value.ts';
import { templateHost } from '../../src/core/templates/template-host.ts';
import { decodeRecordedValue, encodeRecordedValue } from './encoded-value.ts';

export interface RecordedCall {
  readonly filter: string;
  readonly in: unknown;
  readonly args: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
  readonly out?: unknown;
  readonly err?: { readonly type: string; readonly message: string };
}

export type RecordedAnswer = Pick<RecordedCall, 'out' | 'err'>;

const ENVIRONMENT = new Environment({
  host: templateHost({
    digest: (algorithm, bytes) => createHash(algorithm).update(bytes).digest(),
    hmac: (algorithm, key, bytes) => createHmac(algorithm, key).update(bytes).digest(),
  }),
});

class Probe extends Func {
  override readonly typeName = 'function';
}

export function callRecorded({ filter, in: input, args, named }: RecordedCall): RecordedAnswer {
  let answer: Value = null;
  const probe = new Probe('probe', ({ positional: [value = null] }) => {
    answer = value;
    return null;
  });
  const decode = (encoded: unknown): Value => decodeRecordedValue(encoded, () => null);
  try {
    ENVIRONMENT.compile(`{{ probe(input|${filter}(*args, **named)) }}`).render({
      input: decode(input),
      args: decode(args),
      named: decode(named),
      probe,
    });
    return { out: encodeRecordedValue(answer) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { err: { type: error.type, message: error.message } };
  }
}
