/** `zester enroll show` prints one enrollment, all that the machine said, and what can be done with it. */
import { findEnrollment } from '../../client/enroll/read-enrollments.ts';
import { never } from '../../core/assert.ts';
import { factNames } from '../../core/enroll/desk/change-tags.ts';
import { isKeyRevoked } from '../../core/enroll/desk/enrollment-state.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { keyFingerprint } from '../../trust/nkeys.ts';
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf, labelled } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';
import { deciderText, enrollmentRecord, tagsText, trustOf } from './enrollment-text.ts';

export const enrollShowCommand: Command = {
  words: ['enroll', 'show'],
  takesWords: '<id|peel>',
  summary: 'show an enrollment: what the machine says, its key, who decided, what can be done',
  examples: ['zester enroll show enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO', 'zester enroll show web-01'],
  detail:
    'By the name of a peel it is the enrollment that holds the name, else the newest that asked for it.',
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the enrollment', async (client) => {
      const [word = ''] = given.words();
      const { enrollment, others } = await findEnrollment(client, word);
      const format = formatOf(given);
      if (format !== 'text') {
        const record = { ...enrollmentRecord(enrollment), others: others.map(({ id }) => id) };
        context.out(await formatData(record, format));
        return 0;
      }
      context.out(labelled(linesOf(enrollment, others)));
      const run = (words: string) => `\`${context.program} enroll ${words}${placeWords(given)}\``;
      context.out(`${revokedText(enrollment, others)}${nextText(enrollment, run)}\n`);
      return 0;
    }),
};

function linesOf(
  enrollment: Enrollment,
  others: readonly Enrollment[],
): readonly (readonly [label: string, value: string])[] {
  const { peelId, publicKey, metadata, decidedBy, decidedAt, issuedAt, expiresAt } = enrollment;
  const optional = (label: string, value: string) =>
    value === '' ? [] : [[label, printableLine(value)] as const];
  const at = (time: UnixNanos | undefined) => (time === undefined ? '' : timeText(time));
  return [
    ['id', enrollment.id],
    ['peel', displayName(peelId)],
    ['state', enrollment.state],
    ['trust', trustOf(enrollment)],
    ...optional('host name', enrollment.hostname),
    ...optional('address', enrollment.remoteAddress),
    ['asked', at(enrollment.createdAt)],
    ['key', printableLine(publicKey)],
    ['fingerprint', keyFingerprint(publicKey)],
    ...optional('sees the CA', enrollment.trustedCaSpki),
    ...optional(
      'decided by',
      decidedBy === '' ? '' : `${decidedBy}, ${at(decidedAt) || 'nobody knows when'}`,
    ),
    ...optional('because', enrollment.rejectReason),
    ...optional(
      'credentials',
      issuedAt === undefined ? '' : `issued ${at(issuedAt)}${expires(at(expiresAt))}`,
    ),
    ...optional('join token', enrollment.joinToken),
    ...optional('replaced by', enrollment.supersededBy),
    ...optional('tags', tagsText(enrollment.tags)),
    ...optional('facts', factNames(enrollment).join(' ')),
    ...Object.entries(metadata).map(
      ([name, value]) => [`says ${printableLine(name, 40)}`, printableLine(value)] as const,
    ),
    ...enrollment.changes.map(
      ({ state, at: when, by, reason }) =>
        [
          'history',
          printableLine([`${at(when)} ${state}`, deciderText(by), reason].filter(Boolean).join(', ')),
        ] as const,
    ),
    ...optional(
      'others',
      others
        .map(({ id, state, supersededBy, rejectReason }) => {
          const because = rejectReason === '' ? '' : `: ${rejectReason}`;
          return `${id} (${supersededBy === '' ? `${state}${because}` : 'replaced'})`;
        })
        .join(', '),
    ),
  ];
}

function expires(at: string): string {
  return at === '' ? '' : `, expire ${at}`;
}

/** An operator should know that this very key was shut out once. */
function revokedText({ publicKey, state }: Enrollment, others: readonly Enrollment[]): string {
  const revoked = others.filter((other) => isKeyRevoked(other) && other.publicKey === publicKey).at(-1);
  if (state !== 'pending' || revoked === undefined) return '';
  const { decidedBy, rejectReason } = revoked;
  const because = rejectReason === '' ? 'without a reason' : `because: ${rejectReason}`;
  return printableLine(`Its key was revoked before, by ${decidedBy}, ${because}. `);
}

/** `run` makes a command of the words behind `enroll`. */
function nextText(enrollment: Enrollment, run: (words: string) => string): string {
  const { id, state } = enrollment;
  switch (state) {
    case 'pending':
      return trustOf(enrollment) === 'MISMATCH!'
        ? `It has seen another CA than ours: find out why before you decide. ${run(`reject ${id}`)}; if you know why, ${run(`approve ${id} --force`)}.`
        : `It waits for a decision: ${run(`approve ${id}`)}, or ${run(`reject ${id}`)}.`;
    case 'approved':
      return `It may fetch its credentials; \`zester-peel join\` on the machine does. To take that back: ${run(`revoke ${id}`)}.`;
    case 'issued':
      return `Its credentials are out, and the peel has not been seen with them yet. To take them back: ${run(`revoke ${id}`)}.`;
    case 'active':
      return `It is a peel. To shut it out: ${run(`revoke ${id}`)}.`;
    case 'rejected':
    case 'revoked':
      return 'It is over. The machine may ask again with `zester-peel join … --again`, which makes a new enrollment.';
    default:
      return never(state);
  }
}
