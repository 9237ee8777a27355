/**
 * A redacted return is what a peel lets go of: every text of an answer without the secrets of its settings (decision 22).
 * It is made before the answer is stored, sent or cut to fit a message, because half of a secret would not be recognized.
 * Texts that were cut earlier, such as the output of a command, bear a mark by which the book knows (secret-search.ts); bytes bear
 * none.
 *
 * What an operator gave as an argument is no secret of the settings; where it is equal to one it is redacted too, since
 * nobody can tell the two apart. Doing it twice changes nothing. Pure.
 */
import { hideFormer } from '../../core/redact/former-secrets.ts';
import type { SecretBook } from '../../core/redact/secret-book.ts';
import { OUTPUT_CUT_MARK } from '../../modules/cmd/run-command-line.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import type { ExecResponse, StateOrigin, StateResult } from '../../wire/records/exec.ts';
import type { OpenReturn } from './make-return.ts';

export function redactedReturn({ value, response }: OpenReturn, secrets: SecretBook): OpenReturn {
  return {
    value: { ...value, error: secrets.redact(value.error) },
    response: response && redactedResponse(response, secrets),
  };
}

export function redactedResponse(response: ExecResponse, secrets: SecretBook): ExecResponse {
  const results = response.results.map((result) => redactedResult(result, secrets));
  const [error, code] = [secrets.redact(response.error), secrets.redact(response.code)];
  return { ...response, error, code, results };
}

function redactedResult(result: StateResult, secrets: SecretBook): StateResult {
  const { name, diff, details, error, skipReason, data, state } = result;
  return {
    ...result,
    name: secrets.redact(name),
    diff: hideFormer(secrets.redact(diff)),
    details: secrets.redactValue(details),
    error: secrets.redact(error),
    skipReason: secrets.redact(skipReason),
    data: redactedData(data, details, secrets),
    state: state && redactedOrigin(state, secrets),
  };
}

/** Bytes that are no text were cut where the text that tells the same was. */
function redactedData(
  data: WireMap,
  details: Readonly<Record<string, string>>,
  secrets: SecretBook,
): WireMap {
  const cut = Object.entries(data).map(([key, value]): readonly [string, WireValue] => {
    const isCut = value instanceof Uint8Array && OUTPUT_CUT_MARK.test(details[key] ?? '');
    if (!isCut) return [key, value];
    const shown = secrets.redactCut(Buffer.from(value).toString('latin1'));
    return [key, Uint8Array.from(Buffer.from(shown, 'latin1'))];
  });
  return secrets.redactValue(Object.fromEntries(cut));
}

function redactedOrigin({ id, sls, file, line }: StateOrigin, secrets: SecretBook): StateOrigin {
  return { id: secrets.redact(id), sls: secrets.redact(sls), file: secrets.redact(file), line };
}
