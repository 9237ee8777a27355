/**
 * A dispatch reply answers zester.dispatch: the job is on its way, or why not. Exactly one of the two is set. A refusal
 * has a code of the error registry, by which programs tell refusals apart; of a master from before the code, it is
 * empty. The text ends with the code in brackets all the same, for clients from before it.
 */
import { type Codec, type RecordCodec, record } from '../msgpack/codec.ts';
import { name, text } from '../msgpack/field-types.ts';
import { WireError } from '../msgpack/wire-error.ts';
import { type Jid, parseJid } from '../names/ids.ts';

export type DispatchReply = { readonly jid: Jid } | DispatchRefusal;

export interface DispatchRefusal {
  readonly error: string;
  /** Empty when the master gave none. */
  readonly code: string;
}

interface ReplyFields {
  readonly jid: string;
  readonly error: string;
  readonly code: string;
}

const NAME = 'DispatchReply';

const fieldsCodec: RecordCodec<ReplyFields> = record<ReplyFields>(
  NAME,
  'The job is on its way, or why not.',
  {
    jid: { key: 'jid', type: text, omitEmpty: true, doc: 'The job that was dispatched.' },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it was not.' },
    code: {
      key: 'code',
      type: name,
      omitEmpty: true,
      doc: 'Additive. The code of that error, as in reference/errors.md.',
    },
  },
);

export const dispatchReplyCodec: Codec<DispatchReply> & Pick<RecordCodec<ReplyFields>, 'fields'> = {
  name: NAME,
  doc: fieldsCodec.doc,
  fields: fieldsCodec.fields,
  encode: (reply) => fieldsCodec.encode({ jid: '', error: '', code: '', ...reply }),
  decode: (bytes) => {
    const { jid: given, error, code } = fieldsCodec.decode(bytes);
    if (error !== '') return { error, code };
    const jid = parseJid(given);
    if (jid === undefined) throw new WireError(NAME, 'jid', 'is neither a job id nor an error');
    return { jid };
  },
};
