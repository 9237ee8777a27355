/** `NewMachine` is a machine that wants to join, with a key of its own: it signs what the desk and the door of a master ask for. */
import type { EnrollRequest } from '../../../src/core/enroll/desk/read-request.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { curveKeyOf, newSigningKey, type SigningKey } from '../../../src/trust/nkeys.ts';
import type { ChallengeId, EnrollmentId, PeelId } from '../../../src/wire/names/ids.ts';
import {
  type EnrollRequestBody,
  enrollCredsBytes,
  enrollProofBytes,
  enrollTrustBytes,
} from '../../../src/wire/records/enroll/enroll-http.ts';

export interface AskedChallenge {
  readonly challengeId: ChallengeId;
  readonly challenge: Uint8Array;
}

export interface MachineWords {
  /** The CA that it sees. */
  readonly pin?: string;
  readonly token?: string;
  readonly hostname?: string;
}

export class NewMachine {
  readonly peelId: PeelId;
  readonly key: SigningKey;

  constructor(peelId: string, random: Random) {
    this.peelId = peelId as PeelId;
    this.key = newSigningKey('user', random);
  }

  get publicKey(): string {
    return this.key.publicKey;
  }

  get curvePublicKey(): string {
    return curveKeyOf(this.key).publicKey;
  }

  request(
    { challengeId, challenge }: AskedChallenge,
    { pin, token, hostname }: MachineWords = {},
  ): EnrollRequest {
    return {
      peelId: this.peelId,
      publicKey: this.publicKey,
      curvePublicKey: this.curvePublicKey,
      hostname: hostname ?? `${this.peelId}.example`,
      challengeId,
      signature: this.key.sign(enrollProofBytes(challenge, this.curvePublicKey)),
      metadata: {},
      trust:
        pin === undefined ? undefined : { pin, signature: this.key.sign(enrollTrustBytes(challenge, pin)) },
      token,
    };
  }

  /** The same as it goes over HTTP. */
  body(asked: AskedChallenge, words: MachineWords = {}): EnrollRequestBody {
    const { signature, trust, token, hostname } = this.request(asked, words);
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    return {
      peel_id: this.peelId,
      public_key: this.publicKey,
      curve_public_key: this.curvePublicKey,
      hostname,
      challenge_id: asked.challengeId,
      signature: base64(signature),
      ...(trust === undefined
        ? {}
        : { trusted_ca_spki: trust.pin, trust_signature: base64(trust.signature) }),
      ...(token === undefined ? {} : { token }),
    };
  }

  proof(id: EnrollmentId): { readonly publicKey: string; readonly signature: Uint8Array } {
    return { publicKey: this.publicKey, signature: this.key.sign(enrollCredsBytes(id)) };
  }
}
