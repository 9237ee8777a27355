/**
 * `chooseEnrollments` finds the enrollments that a decision is about: by ids, by a name or glob of peels, or all that wait. By a glob,
 * or all, is what may be more than a person thinks of: it is shown and confirmed, at a terminal or by `--yes`.
 */
import type { ClientContext } from '../../client/client-context.ts';
import type { EnrollDecision } from '../../client/enroll/decide-enrollment.ts';
import { readEnrollments } from '../../client/enroll/read-enrollments.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { compileGlob, isGlobFault } from '../../core/target/glob.ts';
import { type PeelId, parseEnrollmentId, peelIdOfName } from '../../wire/names/ids.ts';
import type { Enrollment, EnrollmentState } from '../../wire/records/enroll/enrollment.ts';
import type { CliContext, GivenOptions, OptionSpec } from '../program/command.ts';
import { table } from '../terminal/table.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { ENROLLMENT_HEAD, enrollmentRow } from './enrollment-text.ts';

export const PEEL_CHOICE_OPTION: OptionSpec = {
  name: 'peel',
  value: 'NAME|GLOB',
  doc: "those of this peel, or of all that the glob means: 'web-*'",
};
export const ALL_PENDING_OPTION: OptionSpec = {
  name: 'all-pending',
  doc: 'all that wait for a decision',
};
export const YES_OPTION: OptionSpec = { name: 'yes', doc: 'do not ask whether that is meant' };

/** What each decision is taken of, where no id is named. */
const DECIDABLE: Readonly<Record<EnrollDecision, readonly EnrollmentState[]>> = {
  approve: ['pending'],
  reject: ['pending'],
  revoke: ['approved', 'issued', 'active'],
};

const DONE: Readonly<Record<EnrollDecision, string>> = {
  approve: 'approved',
  reject: 'rejected',
  revoke: 'revoked',
};

/** A peel of this very name, of which no enrollment can be revoked; undefined: something else is meant. */
export function namedPeel(given: GivenOptions): PeelId | undefined {
  const peel = given.text('peel');
  return peel === undefined || isGlob(peel) || given.words().length > 0 ? undefined : peelIdOfName(peel);
}

/** At least one; the oldest first. Throws when there is none, or when nobody says that they are meant. */
export async function chooseEnrollments(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  decision: EnrollDecision,
): Promise<readonly Enrollment[]> {
  const ids = given.words();
  const peel = given.text('peel');
  const isAll = given.on('all-pending');
  const ways = [ids.length > 0, peel !== undefined, isAll].filter(Boolean).length;
  if (ways === 0) throw zesterError('ENROLL_WHICH', { problem: 'none is named' });
  if (ways > 1)
    throw zesterError('ENROLL_WHICH', { problem: 'ids, --peel and --all-pending exclude each other' });
  for (const id of ids)
    if (parseEnrollmentId(id) === undefined)
      throw zesterError('ENROLL_WHICH', {
        problem: `${id} is no id of an enrollment; for a peel write --peel`,
      });
  const { enrollments, unreadable } = await readEnrollments(client);
  for (const record of unreadable) context.say(`zester: ${unreadableText(record)}\n`);
  if (ids.length > 0) return byId(enrollments, ids);
  const isMeant = peel === undefined ? () => true : peelTest(peel);
  const states = DECIDABLE[decision];
  const chosen = enrollments
    .filter(({ peelId, state }) => states.includes(state) && isMeant(peelId))
    .reverse();
  if (chosen.length === 0) {
    const which = peel === undefined ? '' : `of ${peel} `;
    throw zesterError('ENROLL_NO_MATCH', { wanted: `${which}is ${states.join(' or ')}` });
  }
  if (isAll || isGlob(peel ?? '')) await confirm(context, given, chosen, decision);
  return chosen;
}

function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

function byId(enrollments: readonly Enrollment[], ids: readonly string[]): readonly Enrollment[] {
  return [...new Set(ids)].map((wanted) => {
    const found = enrollments.find(({ id }) => id === wanted);
    if (found === undefined) throw zesterError('ENROLL_NO_MATCH', { wanted: `is ${wanted}` });
    return found;
  });
}

/** Ids have `_` where a host name has a dot. */
function peelTest(pattern: string): (peel: string) => boolean {
  const glob = compileGlob(pattern.replaceAll('.', '_'));
  if (isGlobFault(glob))
    throw zesterError('CLI_OPTION_VALUE', { option: '--peel', problem: `is no glob: ${glob.problem}` });
  return glob;
}

async function confirm(
  context: CliContext,
  given: GivenOptions,
  chosen: readonly Enrollment[],
  decision: EnrollDecision,
): Promise<void> {
  const nowMs = context.runtime.clock.nowMs();
  const count = `${chosen.length} ${chosen.length === 1 ? 'enrollment' : 'enrollments'}`;
  if ((given.text('format') ?? 'text') === 'text')
    context.say(
      table(
        ENROLLMENT_HEAD,
        chosen.map((each) => enrollmentRow(each, nowMs)),
      ),
    );
  if (given.on('yes')) return;
  const answer = context.input.isTerminal
    ? await context.input.shownLine(`${count} would be ${DONE[decision]}. Go on? [y/N] `)
    : '';
  if (!/^y(es)?$/i.test(answer.trim()))
    throw zesterError('ENROLL_NOT_CONFIRMED', { count, outcome: DONE[decision] });
}
