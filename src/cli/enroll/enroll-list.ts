/** `zester enroll list` prints who asks to join, who has joined, and who decided. Most of it are words of strangers. */
import { readEnrollments } from '../../client/enroll/read-enrollments.ts';
import { ENROLLMENT_STATES, type Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { ENROLLMENT_HEAD, enrollmentRecord, enrollmentRow } from './enrollment-text.ts';

const CHOICES = ['all', ...ENROLLMENT_STATES];
const STATE_OPTION: OptionSpec = {
  name: 'state',
  value: 'STATE',
  choices: CHOICES,
  doc: `only these: ${CHOICES.join(', ')}; default: all but rejected and revoked`,
};

export const enrollListCommand: Command = {
  words: ['enroll', 'list'],
  summary: 'list the machines that ask to join or have joined, and who decided',
  examples: ['zester enroll list', 'zester enroll list --state pending', 'zester enroll list --format json'],
  detail: [
    'TRUST: ok (the machine has seen the CA of this fleet, by a word that it signed); unverified (it does not say, or the masters',
    'have no CA to compare with); MISMATCH! (it has seen another one: somebody may stand between it and us).',
  ].join('\n'),
  options: [STATE_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of enrollments', async (client) => {
      const { enrollments: all, unreadable } = await readEnrollments(client);
      for (const record of unreadable) context.say(`zester: ${unreadableText(record)}\n`);
      const enrollments = all.filter((each) => isShown(each, given.text('state')));
      const format = formatOf(given);
      const nowMs = context.runtime.clock.nowMs();
      if (format !== 'text') context.out(await formatData(enrollments.map(enrollmentRecord), format));
      else if (enrollments.length > 0)
        context.out(
          table(
            ENROLLMENT_HEAD,
            enrollments.map((each) => enrollmentRow(each, nowMs)),
          ),
        );
      else context.out(all.length === 0 ? 'No enrollments.\n' : `No such enrollments, of ${all.length}.\n`);
      return 0;
    }),
};

function isShown({ state }: Enrollment, wanted: string | undefined): boolean {
  if (wanted === undefined) return state !== 'rejected' && state !== 'revoked';
  return wanted === 'all' || state === wanted;
}
