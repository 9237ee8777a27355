/** The answer to zester.dispatch: the job is on its way, or why not. Exactly one of the two is set. */
import { type Codec, type RecordCodec, record } from '../msgpack/codec.ts';
import { text } from '../msgpack/field-types.ts';
import { WireError } from '../msgpack/wire-error.ts';
import { type Jid, parseJid } from '../names/ids.ts';

export type DispatchReply = { readonly jid: Jid } | { readonly error: string };

interface ReplyFields {
  readonly jid: string;
  readonly error: string;
}

const NAME = 'DispatchReply';

const fieldsCodec: RecordCodec<ReplyFields> = record<ReplyFields>(
  NAME,
  'The job is on its way, or why not.',
  {
    jid: { key: 'jid', type: text, omitEmpty: true, doc: 'The job that was dispatched.' },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it was not.' },
  },
);

export const dispatchReplyCodec: Codec<DispatchReply> & Pick<RecordCodec<ReplyFields>, 'fields'> = {
  name: NAME,
  doc: fieldsCodec.doc,
  fields: fieldsCodec.fields,
  encode: (reply) => fieldsCodec.encode({ jid: '', error: '', ...reply }),
  decode: (bytes) => {
    const { jid: given, error } = fieldsCodec.decode(bytes);
    if (error !== '') return { error };
    const jid = parseJid(given);
    if (jid === undefined) throw new WireError(NAME, 'jid', 'is neither a job id nor an error');
    return { jid };
  },
};
