/**
 * `zester enroll approve`, `reject` and `revoke` ask masters to decide about enrollments, one after the other, and tell of each what the
 * answer proves: the state of the record as the master wrote it, how many NATS servers confirmed a revocation, and what could not be
 * confirmed. A peel that never enrolled is revoked by its name.
 *
 * Exit codes: 2 when a master refuses one, 3 when nobody answered or not everything was confirmed, 4 both.
 */
import type { ClientContext } from '../../client/client-context.ts';
import {
  type DecisionTerms,
  decideEnrollment,
  type EnrollDecision,
  revokePeel,
} from '../../client/enroll/decide-enrollment.ts';
import { readJoinTokens } from '../../client/enroll/join-tokens.ts';
import { tokenState } from '../../core/enroll/desk/join-token-rules.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { EnrollAdminReply } from '../../wire/records/enroll/enroll-admin.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import type { JoinToken } from '../../wire/records/enroll/join-token.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';
import type { WaitFor } from '../terminal/wait-for.ts';
import {
  ALL_PENDING_OPTION,
  chooseEnrollments,
  namedPeel,
  PEEL_CHOICE_OPTION,
  YES_OPTION,
} from './choose-enrollments.ts';
import { deciderText, tagsText, trustOf } from './enrollment-text.ts';
import { FACT_OPTION, nameValues, TAG_OPTION, withFiles } from './name-values.ts';

const EXIT_REFUSED = 2;
const EXIT_SILENT = 3;
const EXIT_BOTH = 4;

const REASON_OPTION: OptionSpec = { name: 'reason', value: 'TEXT', doc: 'why; the machine is told' };
const FORCE_APPROVE_OPTION: OptionSpec = {
  name: 'force',
  doc: 'approve although the machine sees another CA, or a peel that never enrolled goes by this id: you know why',
};
const COMMON: readonly OptionSpec[] = [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS];

export const enrollApproveCommand: Command = {
  words: ['enroll', 'approve'],
  takesWords: '[id …]',
  summary: 'let machines in that ask to join',
  examples: [
    'zester enroll approve enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO',
    "zester enroll approve --peel 'web-*' --tag role=web",
    'zester enroll approve --all-pending --yes',
  ],
  detail: [
    'Compare the fingerprint that `zester enroll show` tells with the one that `zester-peel join` prints on the machine while it waits,',
    'unless you know otherwise who asks. Tags are seen by every peel (T@role:web); facts are kept as secrets. Both can be changed',
    'later with `zester peel tag`.',
  ].join('\n'),
  options: [
    PEEL_CHOICE_OPTION,
    ALL_PENDING_OPTION,
    TAG_OPTION,
    FACT_OPTION,
    FORCE_APPROVE_OPTION,
    YES_OPTION,
    ...COMMON,
  ],
  run: (context, given) => run(context, given, 'approve'),
};

export const enrollRejectCommand: Command = {
  words: ['enroll', 'reject'],
  takesWords: '[id …]',
  summary: 'turn machines away that ask to join; they may ask again',
  examples: [
    'zester enroll reject enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO --reason "not ours"',
    'zester enroll reject --all-pending --yes',
  ],
  options: [PEEL_CHOICE_OPTION, ALL_PENDING_OPTION, REASON_OPTION, YES_OPTION, ...COMMON],
  run: (context, given) => run(context, given, 'reject'),
};

export const enrollRevokeCommand: Command = {
  words: ['enroll', 'revoke'],
  takesWords: '[id …]',
  summary: 'shut peels out: their credentials are dead, their keys erased',
  examples: [
    'zester enroll revoke --peel web-01 --reason "stolen"',
    'zester enroll revoke enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO',
  ],
  detail: [
    'Takes effect on the live connection. What is said is what the masters could confirm; a server that was away gets the',
    'revocation when it is back, and masters ignore the peel meanwhile. The machine may ask to join again (`zester-peel join … --again`),',
    'and an operator decides, also where it has a join token.',
    'A peel that an older version made has no enrollment: --peel with its name revokes the key under which it is connected,',
    'and if it is not, the masters ignore it and revoke its key when it shows itself.',
  ].join('\n'),
  options: [PEEL_CHOICE_OPTION, REASON_OPTION, YES_OPTION, ...COMMON],
  run: (context, given) => run(context, given, 'revoke'),
};

/** What is to be decided about. */
interface Asked {
  readonly peelId: PeelId;
  /** Undefined: the peel has none that could be revoked. */
  readonly enrollment?: Enrollment;
}

interface Decided extends Asked {
  /** What the master answered; undefined: it refused, or nobody answered. */
  readonly reply?: EnrollAdminReply;
  readonly refused?: { readonly reason: string; readonly code: string };
  readonly unanswered?: string;
}

async function run(context: CliContext, given: GivenOptions, decision: EnrollDecision): Promise<number> {
  const terms: DecisionTerms = {
    reason: given.text('reason') ?? '',
    force: given.on('force'),
    tags: nameValues(given.texts('tag')),
    facts: withFiles(nameValues(given.texts('fact')), context.cwd),
  };
  return withClient(context, given, (client, waitFor) =>
    decideAll(context, given, client, waitFor, { decision, terms }),
  );
}

async function decideAll(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  waitFor: WaitFor,
  { decision, terms }: { readonly decision: EnrollDecision; readonly terms: DecisionTerms },
): Promise<number> {
  const chosen = await chooseAsked(context, given, client, decision);
  const format = formatOf(given);
  const results: Decided[] = [];
  for (const asked of chosen) {
    const wait = {
      what: `a master to ${decision} ${asked.enrollment?.id ?? asked.peelId}`,
      ifLeft: 'whether that was done is not known; the others were not asked for',
      next: `${context.program} enroll list --state all${placeWords(given)}`,
    };
    const decided = await waitFor(wait, decideOne(client, decision, asked, terms));
    results.push(decided);
    if (format === 'text') context.out(textOf(decided));
  }
  if (format !== 'text') context.out(await formatData(results.map(recordOf), format));
  if (decision === 'revoke') await tellGoodTokens(context, given, client, results);
  return exitOf(results);
}

/** Where a peel is named that has no enrollment to revoke, the masters know best. */
async function chooseAsked(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  decision: EnrollDecision,
): Promise<readonly Asked[]> {
  try {
    const chosen = await chooseEnrollments(context, given, client, decision);
    return chosen.map((enrollment) => ({ peelId: enrollment.peelId, enrollment }));
  } catch (error) {
    const peelId = decision === 'revoke' ? namedPeel(given) : undefined;
    if (peelId === undefined || !isZesterError(error, 'ENROLL_NO_MATCH')) throw error;
    return [{ peelId }];
  }
}

/** A machine that was shut out may have its token still, and somebody else too: that lets in whoever comes under another id. */
async function tellGoodTokens(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  results: readonly Decided[],
): Promise<void> {
  const used = new Set(results.flatMap(({ reply }) => reply?.record?.joinToken || []));
  if (used.size === 0) return;
  const now = nanosFromMs(context.runtime.clock.nowMs());
  try {
    const { tokens } = await readJoinTokens(client);
    for (const token of tokens)
      if (used.has(token.id) && tokenState(token, now) === 'good')
        context.say(
          goodTokenText(token, `${context.program} enroll token revoke ${token.id}${placeWords(given)}`),
        );
  } catch (error) {
    // What was decided is decided, and told.
    if (!isZesterError(error)) throw error;
    context.say(
      `zester: whether ${[...used].join(', ')} still lets machines in is not known: ${error.message}\n`,
    );
  }
}

function goodTokenText({ id, peelPattern, usesMax, enrollments }: JoinToken, command: string): string {
  const left = usesMax - enrollments.length;
  const many = left === 1 ? 'one more machine' : `${left} more machines`;
  const words = `zester: join token ${id}, by which it came, still lets in ${many} under ids ${peelPattern}`;
  return `${printableLine(words)}; \`${command}\` takes it back\n`;
}

async function decideOne(
  client: ClientContext,
  decision: EnrollDecision,
  asked: Asked,
  terms: DecisionTerms,
): Promise<Decided> {
  const { enrollment, peelId } = asked;
  try {
    const reply = await (enrollment === undefined
      ? revokePeel(client, peelId, terms)
      : decideEnrollment(client, decision, enrollment.id, terms));
    return { ...asked, reply };
  } catch (error) {
    if (isZesterError(error, 'ENROLL_COMMAND_REFUSED'))
      return { ...asked, refused: { reason: error.message, code: error.reasonCode ?? '' } };
    if (isZesterError(error, 'ENROLL_UNANSWERED')) return { ...asked, unanswered: error.message };
    throw error;
  }
}

/** Nothing but what the answer says. */
function textOf({ peelId, enrollment, reply, refused, unanswered }: Decided): string {
  const id = reply?.record?.id ?? enrollment?.id;
  const who = `${displayName(peelId)}${id === undefined ? '' : ` (${id})`}`;
  if (refused !== undefined) return `${who}: ${printableLine(refused.reason)}\n`;
  if (unanswered !== undefined)
    return `${who}: ${printableLine(unanswered)}; the same command again says so, and does nothing twice\n`;
  if (reply?.record === undefined) return `${who}: the master does not say how it stands\n`;
  const { record, warning } = reply;
  const { decidedBy, decidedAt, tags } = record;
  const at = decidedAt === undefined ? '' : timeText(decidedAt);
  const words = [
    [[record.state, deciderText(decidedBy)].filter(Boolean).join(' '), at].filter(Boolean).join(', '),
    serversText(reply),
    tagsText(tags),
    trustOf(record) === 'MISMATCH!' ? 'trust MISMATCH!' : '',
  ];
  const line = printableLine(`${who}: ${words.filter(Boolean).join('; ')}`);
  return warning === '' ? `${line}\n` : `${line}\n  not confirmed: ${printableLine(warning)}\n`;
}

/** A server keeps out a key; where none is known there is nothing to keep out. */
function serversText({ record, servers, serversKnown }: EnrollAdminReply): string {
  if (serversKnown === 0 || record?.publicKey === '') return '';
  return `kept out by ${servers} of ${serversKnown} NATS ${serversKnown === 1 ? 'server' : 'servers'}`;
}

function recordOf({ peelId, enrollment, reply, refused, unanswered }: Decided): object {
  const now = reply?.record ?? enrollment;
  return {
    id: now?.id ?? '',
    peel_id: peelId,
    outcome: refused !== undefined ? 'refused' : unanswered !== undefined ? 'unanswered' : 'done',
    // Of what was not answered it is the state from before.
    ...(now === undefined ? {} : { state: now.state }),
    decided_by: now?.decidedBy ?? '',
    servers: reply?.servers ?? 0,
    servers_known: reply?.serversKnown ?? 0,
    warning: reply?.warning ?? '',
    error: refused?.reason ?? unanswered ?? '',
    code: refused?.code ?? '',
  };
}

function exitOf(results: readonly Decided[]): number {
  const isRefused = results.some(({ refused }) => refused !== undefined);
  const isOpen = results.some(
    ({ unanswered, refused, reply }) =>
      unanswered !== undefined ||
      (refused === undefined && (reply?.record === undefined || reply.warning !== '')),
  );
  return isRefused ? (isOpen ? EXIT_BOTH : EXIT_REFUSED) : isOpen ? EXIT_SILENT : 0;
}
