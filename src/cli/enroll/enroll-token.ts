/**
 * `zester enroll token create`, `list` and `revoke`: join tokens let machines in without an operator. The token is made here and printed
 * once, alone on stdout, so that `$(…)` gets it and nothing else; masters know its hash.
 */
import { createJoinToken, readJoinTokens, revokeJoinToken } from '../../client/enroll/join-tokens.ts';
import { tokenState } from '../../core/enroll/desk/join-token-rules.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { formatRfc3339, nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
import { parseJoinTokenId } from '../../wire/names/ids.ts';
import { type JoinToken, TOKEN_USES_MAX } from '../../wire/records/enroll/join-token.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { lookWithClient, withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions, OptionSpec } from '../program/command.ts';
import { countOf, DATA_FORMAT_OPTION, durationOf, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { tagsText } from './enrollment-text.ts';
import { nameValues, TAG_OPTION } from './name-values.ts';

const LIFE_MS = 3_600_000;
const PATTERN_CHARS_MAX = 40;
const WHO_CHARS_MAX = 40;

const CREATE_OPTIONS: readonly OptionSpec[] = [
  { name: 'peel', value: 'GLOB', doc: "ids that it lets in: 'web-*'; required" },
  { name: 'uses', value: 'N', doc: 'how many machines it lets in; default 1' },
  { name: 'expires', value: 'TIME', doc: 'how long it is good, such as 30m or 24h; default 1h' },
  TAG_OPTION,
];

export const enrollTokenCreateCommand: Command = {
  words: ['enroll', 'token', 'create'],
  summary: 'make a join token: machines that have it join without an operator',
  examples: [
    "zester enroll token create --peel 'web-*' --uses 10 --expires 1h --tag role=web",
    "zester enroll token create --peel 'web-*' > join-token",
  ],
  detail: [
    'The token is printed once and stored nowhere; whoever has it can join under an id that the glob means, as often and as long as',
    'it says. Give it to the machine in a file: `zester-peel join … --token-file FILE`.',
  ].join('\n'),
  options: [...CREATE_OPTIONS, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) => create(context, given),
};

export const enrollTokenListCommand: Command = {
  words: ['enroll', 'token', 'list'],
  summary: 'list the join tokens: what each lets in, and how often it was used',
  examples: ['zester enroll token list', 'zester enroll token list --format json'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of join tokens', async (client) => {
      const { tokens, unreadable } = await readJoinTokens(client);
      for (const record of unreadable) context.say(`zester: ${unreadableText(record)}\n`);
      const now = nanosFromMs(context.runtime.clock.nowMs());
      const format = formatOf(given);
      if (format !== 'text')
        context.out(
          await formatData(
            tokens.map((token) => tokenRecord(token, now)),
            format,
          ),
        );
      else if (tokens.length === 0) context.out('No join tokens.\n');
      else
        context.out(
          table(
            HEAD,
            tokens.map((token) => tokenRow(token, now)),
          ),
        );
      return 0;
    }),
};

export const enrollTokenRevokeCommand: Command = {
  words: ['enroll', 'token', 'revoke'],
  takesWords: '<id>',
  summary: 'take a join token back; whom it let in stays in',
  examples: ['zester enroll token revoke tok-2hPx1FNsSgJMqVn5bLSTXeBQMpO'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) => revoke(context, given),
};

async function create(context: CliContext, given: GivenOptions): Promise<number> {
  const peelPattern = given.text('peel');
  if (peelPattern === undefined)
    throw zesterError('CLI_MISSING_OPTION', { command: 'enroll token create', option: '--peel GLOB' });
  const uses = countOf(given, 'uses', { fallback: 1, max: TOKEN_USES_MAX });
  const lifeMs = durationOf(given, 'expires', LIFE_MS);
  const tags = nameValues(given.texts('tag'));
  return withClient(context, given, async (client, waitFor) => {
    const expiresAt = nanosFromMs(context.runtime.clock.nowMs() + lifeMs);
    const wanted = { uses, expiresAt, peelPattern: peelPattern.replaceAll('.', '_'), tags };
    const wait = {
      what: 'a master to store the join token',
      ifLeft: 'it may be stored, and nobody has its text',
      next: `${context.program} enroll token list${placeWords(given)}`,
    };
    const { text, token } = await waitFor(wait, createJoinToken(client, wanted));
    const format = formatOf(given);
    if (format !== 'text') {
      const now = nanosFromMs(context.runtime.clock.nowMs());
      const stored = token === undefined ? {} : tokenRecord(token, now);
      context.out(await formatData({ ...stored, token: text }, format));
      return 0;
    }
    context.out(`${text}\n`);
    if (token !== undefined) context.say(`${createdText(token)}\n`);
    return 0;
  });
}

function createdText({ usesMax, peelPattern, expiresAt, tags }: JoinToken): string {
  const many = usesMax === 1 ? 'one machine' : `${usesMax} machines`;
  const tagged = tagsText(tags);
  const words = `Lets in ${many} under ids ${peelPattern} until ${timeText(expiresAt)}${tagged === '' ? '' : `, with tags ${tagged}`}. It is shown this once.`;
  return printableLine(words);
}

async function revoke(context: CliContext, given: GivenOptions): Promise<number> {
  const [word = ''] = given.words();
  // The whole text of a token has its secret half behind a dot: it must not travel further, nor be repeated.
  const id = parseJoinTokenId(word.split('.')[0] ?? '');
  if (id === undefined) throw zesterError('ENROLL_NO_MATCH', { wanted: 'token has such an id' });
  return withClient(context, given, async (client, waitFor) => {
    const wait = {
      what: 'a master to revoke the join token',
      ifLeft: 'whether it was revoked is not known',
      next: `${context.program} enroll token list${placeWords(given)}`,
    };
    const token = await waitFor(wait, revokeJoinToken(client, id));
    const now = nanosFromMs(context.runtime.clock.nowMs());
    const format = formatOf(given);
    if (format !== 'text')
      context.out(await formatData(token === undefined ? { id } : tokenRecord(token, now), format));
    else if (token === undefined) context.out(`${id}: the master does not say how it stands\n`);
    else {
      const by = token.revokedBy === '' ? '' : ` by ${token.revokedBy}`;
      context.out(`${printableLine(`${id}: ${tokenState(token, now)}${by}, used ${usedText(token)}`)}\n`);
    }
    return 0;
  });
}

const HEAD = ['ID', 'PEELS', 'USED', 'STATE', 'EXPIRES', 'MADE BY', 'TAGS'];

function tokenRow(token: JoinToken, now: UnixNanos): readonly string[] {
  const { id, peelPattern, expiresAt, createdBy, tags } = token;
  return [
    id,
    printableLine(peelPattern, PATTERN_CHARS_MAX),
    usedText(token),
    tokenState(token, now),
    timeText(expiresAt),
    printableLine(createdBy, WHO_CHARS_MAX),
    tagsText(tags) || '-',
  ];
}

function usedText({ enrollments, usesMax }: JoinToken): string {
  return `${enrollments.length} of ${usesMax}`;
}

function tokenRecord(token: JoinToken, now: UnixNanos): Readonly<Record<string, unknown>> {
  return {
    id: token.id,
    state: tokenState(token, now),
    peel_pattern: token.peelPattern,
    uses_max: token.usesMax,
    uses: token.enrollments.length,
    enrollments: token.enrollments,
    tags: token.tags,
    created_by: token.createdBy,
    created_at: formatRfc3339(token.createdAt),
    expires_at: formatRfc3339(token.expiresAt),
    revoked_by: token.revokedBy,
    ...(token.revokedAt === undefined ? {} : { revoked_at: formatRfc3339(token.revokedAt) }),
  };
}
