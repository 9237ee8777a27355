/**
 * Challenges are what machines sign to prove that they hold the key they name: random bytes, kept in bucket enroll-challenges for
 * one peel id and one key, good for `CHALLENGE_MS` and for one answer. Any master makes them, and any takes the answer.
 *
 * The signature is checked first, then the challenge is marked as used by compare-and-set: of an answer that comes twice, or at
 * two masters at once, one counts. Why an answer does not count is not told. A server that forgets its challenges (they are
 * in memory) costs a machine a new one. Bounds: the rate of the door, the life of a key in the bucket, and its bytes, beyond which
 * no machine gets a challenge until older ones are over.
 */
import { openTable, type Table } from '../../bus/kv/table.ts';
import type { EnrollRequest } from '../../core/enroll/desk/read-request.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { isPublicKey, verifyWithPublicKey } from '../../trust/nkeys.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { ChallengeId, PeelId } from '../../wire/names/ids.ts';
import { enrollProofBytes, enrollTrustBytes } from '../../wire/records/enroll/enroll-http.ts';
import { CHALLENGE_BYTES, type EnrollChallenge } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';

const CHALLENGE_MS = 120_000;

type ChallengeContext = Pick<MasterContext, 'bus' | 'runtime' | 'now'>;

export class Challenges {
  private readonly context: ChallengeContext;
  private readonly table: Table<ChallengeId, EnrollChallenge>;

  constructor(context: ChallengeContext) {
    this.context = context;
    this.table = openTable(context.bus, TABLES.enrollChallenges);
  }

  async make(peelId: PeelId, publicKey: string): Promise<EnrollChallenge> {
    if (!isPublicKey(publicKey, 'user')) throw noKey('public_key is no user key, U…');
    const { clock, random } = this.context.runtime;
    const issuedAt = this.context.now();
    const challenge: EnrollChallenge = {
      challengeId: `chl-${newKsuid(clock, random)}` as ChallengeId,
      challenge: random.bytes(CHALLENGE_BYTES),
      peelId,
      publicKey,
      issuedAt,
      expiresAt: issuedAt + nanosFromMs(CHALLENGE_MS),
      used: false,
    };
    await this.table.put(challenge.challengeId, challenge);
    return challenge;
  }

  /** Resolves when the request proves its key, and what it says of the CA that it sees. Good once. */
  async answer(request: EnrollRequest): Promise<void> {
    const { publicKey, curvePublicKey, challengeId, signature, trust } = request;
    if (!isPublicKey(publicKey, 'user')) throw noKey('public_key is no user key, U…');
    if (!isPublicKey(curvePublicKey, 'curve')) throw noKey('curve_public_key is no curve key, X…');
    const read = await this.table.getLatest(challengeId);
    const refused = zesterError('ENROLL_CHALLENGE', {});
    if (read.is !== 'found') throw refused;
    const { value: kept, revision } = read;
    const isMeant = kept.peelId === request.peelId && kept.publicKey === publicKey;
    if (!isMeant || kept.used || this.context.now() >= kept.expiresAt) throw refused;
    const isSigned = (bytes: Uint8Array, by: Uint8Array) => verifyWithPublicKey(publicKey, 'user', bytes, by);
    if (!isSigned(enrollProofBytes(kept.challenge, curvePublicKey), signature))
      throw zesterError('ENROLL_SIGNATURE', { what: 'the challenge is not signed by public_key' });
    if (trust !== undefined && !isSigned(enrollTrustBytes(kept.challenge, trust.pin), trust.signature))
      throw zesterError('ENROLL_SIGNATURE', { what: 'trusted_ca_spki is not signed by public_key' });
    const { won } = await this.table.update(challengeId, { ...kept, used: true }, revision);
    if (!won) throw refused;
  }
}

function noKey(problem: string) {
  return zesterError('ENROLL_REQUEST_INVALID', { problem });
}
