/**
 * `AccountBook` knows the account documents that masters have recorded, and says at once when one lets somebody in again who was
 * shut out. It keeps the older ones, for a fault that pushes one of them.
 */
import type { ReadMemoryAccount } from '../../bus/memory/memory-accounts.ts';
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import type { AccountBody } from '../../trust/accounts/claims.ts';
import { decodeJwt } from '../../trust/accounts/jwt.ts';
import type { Topology } from '../../trust/accounts/topology.ts';
import type { SigningKey } from '../../trust/nkeys.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { parseKvSubject } from '../../wire/names/store-subjects.ts';
import { accountDocsCodec } from '../../wire/records/enroll/account-docs.ts';

export interface AccountBookParts {
  readonly topology: Topology;
  readonly broke: (rule: string, text: string) => void;
}

export class AccountBook {
  /** Of account AGENTS, the oldest first, each once. */
  readonly agents: string[];
  private readonly parts: AccountBookParts;
  private hasForgotten = false;

  constructor(parts: AccountBookParts) {
    this.parts = parts;
    this.agents = [parts.topology.public.agents.jwt];
  }

  /** User key → Unix seconds. */
  get revocations(): Readonly<Record<string, number>> {
    return revocationsOf(this.agents.at(-1) ?? '');
  }

  stored({ subject, data }: Stored): void {
    const kv = parseKvSubject(subject);
    if (kv?.bucket !== BUCKETS.accountDocs.name || data.length === 0) return;
    const docs = accountDocsCodec.decode(data);
    const before = this.revocations;
    if (this.agents.at(-1) !== docs.agents) this.agents.push(docs.agents);
    if (this.hasForgotten) return;
    for (const [key, atS] of Object.entries(before))
      if ((this.revocations[key] ?? 0) < atS)
        this.parts.broke('who was shut out stays shut out', `${key} is not revoked any more`);
  }

  snapshot(): () => void {
    const agents = [...this.agents];
    return () => {
      this.hasForgotten = true;
      this.agents.splice(0, this.agents.length, ...agents);
    };
  }
}

function revocationsOf(jwt: string): Readonly<Record<string, number>> {
  return decodeJwt<AccountBody>(jwt, 'account').nats.revocations ?? {};
}

/** Reads account documents for a memory server, as a server that trusts this operator does. */
export function accountReader(operatorSigning: SigningKey): ReadMemoryAccount {
  return (jwt) => {
    try {
      const { iss, sub, name, nats } = decodeJwt<AccountBody>(jwt, 'account');
      return {
        publicKey: sub,
        name,
        isTrusted: iss === operatorSigning.publicKey,
        revocations: nats.revocations ?? {},
        template: JSON.stringify(nats.signing_keys ?? []),
      };
    } catch {
      return undefined;
    }
  };
}
