/**
 * Join tokens on the master: made and revoked for operators, used by machines. What a token lets in is decided in
 * core/enroll/desk/join-token-rules.ts; here its uses are counted, by compare-and-set, so that with any number of masters exactly as
 * many machines get in as it says.
 *
 * A use names its enrollment: if we die after the count, the same machine comes again with the same enrollment and is not
 * counted again. On one master uses of a token queue up, because at the store they would only beat each other.
 */
import { createHash } from 'node:crypto';
import { openTable, type Table } from '../../bus/kv/table.ts';
import { tagsProblem } from '../../core/enroll/desk/change-tags.ts';
import {
  judgeToken,
  newTokenProblem,
  parseTokenText,
  type TokenText,
  tokenUsed,
} from '../../core/enroll/desk/join-token-rules.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { KeyedMutex } from '../../runtime/keyed-mutex.ts';
import { type JoinTokenId, type PeelId, parseJoinTokenId } from '../../wire/names/ids.ts';
import type { JoinTokenRequest } from '../../wire/records/enroll/enroll-admin.ts';
import type { JoinToken } from '../../wire/records/enroll/join-token.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';

/** Each round means that another master counted a use in between. */
const ROUNDS_MAX = 64;
const WAITERS_MAX = 4_096;

type TokenContext = Pick<MasterContext, 'bus' | 'runtime' | 'now'>;

export class JoinTokens {
  private readonly context: TokenContext;
  private readonly table: Table<JoinTokenId, JoinToken>;
  private readonly turns = new KeyedMutex<JoinTokenId>({
    waitersMax: WAITERS_MAX,
    refusal: (_id, count) => zesterError('MASTER_BUSY', { count, what: 'uses of one join token' }),
  });

  constructor(context: TokenContext) {
    this.context = context;
    this.table = openTable(context.bus, TABLES.joinTokens);
  }

  /** Throws when it would not let this peel in. Writes nothing. */
  async check(text: string, peel: PeelId, enrollment?: string): Promise<void> {
    await this.judged(textOf(text), peel, enrollment);
  }

  /** Counts the enrollment, once. Throws when the token does not let it in (any more). */
  use(text: string, peel: PeelId, enrollment: string): Promise<JoinToken> {
    const given = textOf(text);
    return this.turns.run(given.id, async () => {
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const { token, revision, isCounted } = await this.judged(given, peel, enrollment);
        if (isCounted) return token;
        const used = tokenUsed(token, enrollment);
        if ((await this.table.update(token.id, used, revision)).won) return used;
      }
      throw busy(peel);
    });
  }

  /** Makes the token that is asked for; one that is there already and says the same is the answer to the same request. */
  async create(request: JoinTokenRequest): Promise<JoinToken> {
    const id = idOf(request.id);
    const { hash, uses: usesMax, peelPattern, tags, operator: createdBy, expiresAt } = request;
    const now = this.context.now();
    if (expiresAt === undefined) throw invalid('it says no time at which it expires');
    const asked = { id, hash, usesMax, peelPattern, tags, createdBy, createdAt: now, expiresAt };
    const token: JoinToken = { ...asked, revokedBy: '', revokedAt: undefined, enrollments: [] };
    const problem = newTokenProblem(token, now) ?? tagsProblem({ tags, facts: {} });
    if (problem !== undefined) throw invalid(problem);
    const made = await this.table.createOrRead(id, token);
    if (made.isOurs) {
      this.context.runtime.log.info('join token made', {
        token: id,
        by: createdBy,
        uses: usesMax,
        peels: peelPattern,
      });
      return token;
    }
    const there = made.there.is === 'found' ? made.there.value : undefined;
    const isSame =
      there?.hash === hash &&
      there.usesMax === usesMax &&
      there.peelPattern === peelPattern &&
      there.expiresAt === expiresAt;
    if (there === undefined || !isSame) throw zesterError('ENROLL_TOKEN_EXISTS', { id });
    return there;
  }

  /** From now on it lets nobody in. Whom it has let in stays. */
  async revoke(request: Pick<JoinTokenRequest, 'id' | 'operator'>): Promise<JoinToken> {
    const id = idOf(request.id);
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const found = await this.find(id);
      if (found === undefined) throw zesterError('ENROLL_TOKEN_GONE', { id });
      const { token, revision } = found;
      if (token.revokedAt !== undefined) return token;
      const revoked = { ...token, revokedBy: request.operator, revokedAt: this.context.now() };
      if (!(await this.table.update(id, revoked, revision)).won) continue;
      this.context.runtime.log.info('join token revoked', { token: id, by: request.operator });
      return revoked;
    }
    throw zesterError('MASTER_BUSY', { count: ROUNDS_MAX, what: 'uses of one join token' });
  }

  private async judged({ id, secret }: TokenText, peel: PeelId, enrollment: string | undefined) {
    const found = await this.find(id);
    const hash = createHash('sha256').update(secret).digest('hex');
    const verdict = judgeToken(found?.token, { hash, peel, enrollment, now: this.context.now() });
    if (verdict.is === 'unknown' || found === undefined) throw zesterError('ENROLL_TOKEN_UNKNOWN', {});
    const { problem } = verdict.is === 'refused' ? verdict : {};
    if (problem !== undefined) throw zesterError('ENROLL_TOKEN_REFUSED', { peel, problem });
    return { ...found, isCounted: verdict.is === 'good' && verdict.isCounted };
  }

  private async find(id: JoinTokenId): Promise<{ token: JoinToken; revision: number } | undefined> {
    const read = await this.table.getLatest(id);
    if (read.is === 'absent') return undefined;
    if (read.is === 'unreadable')
      throw zesterError('ENROLL_RECORD_UNREADABLE', { key: id, problem: read.problem });
    return { token: read.value, revision: read.revision };
  }
}

function textOf(text: string): TokenText {
  const given = parseTokenText(text);
  if (given === undefined) throw zesterError('ENROLL_TOKEN_UNKNOWN', {});
  return given;
}

function idOf(text: string): JoinTokenId {
  const id = parseJoinTokenId(text);
  if (id === undefined) throw invalid('its id is not tok- and a KSUID');
  return id;
}

function invalid(problem: string) {
  return zesterError('ENROLL_TOKEN_INVALID', { problem });
}

function busy(peel: PeelId) {
  return zesterError('ENROLL_BUSY', { peel, reason: 'its join token is used by too many machines at once' });
}
