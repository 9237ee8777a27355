/**
 * The mutants of enrollment, account documents and the fleet key: broken versions of what keeps an id with one machine, keeps
 * the revoked out, and keeps peels and masters on keys that both know. Part of the table in `sim-mutants.ts`.
 */
import type { Mutant } from './sim-mutants.ts';

// biome-ignore lint/suspicious/noExplicitAny: a mutant takes functions of many modules in its hands.
type Any = any;

export const TRUST_MUTANTS: readonly Mutant[] = [
  {
    name: 'masters ignore revoked peels',
    module: 'src/core/enroll/desk/enrollment-view.ts',
    replaces: 'EnrollmentView.isShutOut',
    broken: () => () => false,
  },
  {
    name: 'index says who holds a peel id',
    module: 'src/core/enroll/desk/judge-request.ts',
    replaces: 'judgeRequest',
    broken:
      (judgeRequest) =>
      (...args) => {
        const verdict = judgeRequest(...args);
        return verdict === 'conflict' ? 'new' : verdict;
      },
  },
  {
    name: 'CAS on uses of a join token',
    module: 'src/master/enroll/join-tokens.ts',
    replaces: 'JoinTokens.use',
    broken: () =>
      async function (text: string, peel, enrollment) {
        const [id, secret] = text.split('.');
        const { token } = await this.judged({ id, secret }, peel, enrollment);
        const used = { ...token, enrollments: [...token.enrollments, enrollment] };
        await this.table.put(token.id, used);
        return used;
      },
  },
  {
    name: 'shut-out rule of join tokens',
    module: 'src/core/enroll/desk/join-token-rules.ts',
    replaces: 'shutOutProblem',
    broken: () => () => undefined,
  },
  {
    name: 'credentials are handed out once',
    module: 'src/master/enroll/peel-credentials.ts',
    replaces: 'PeelCredentials.issue',
    broken: (issue) =>
      async function (id, proof) {
        try {
          return await issue.call(this, id, proof);
        } catch (error) {
          if ((error as Any).code !== 'ENROLL_ALREADY_ISSUED') throw error;
          const { record } = await this.parts.store.get(id);
          return { peelId: record.peelId, ...this.mint(record) };
        }
      },
  },
  {
    name: 'end of an old generation of the fleet key',
    module: 'src/peel/intake/trusted-keys.ts',
    replaces: 'withListed',
    // What was good once stays good.
    broken: (withListed) => (known, listed, nowMs) => {
      const next = withListed(known, listed, nowMs);
      const kept = known.filter((old: Any) => !next.some((each: Any) => each.generation === old.generation));
      return [...next, ...kept.map((old: Any) => ({ ...old, until: undefined }))];
    },
  },
  {
    name: 'new generation of the fleet key on peels',
    module: 'src/peel/intake/key-ring.ts',
    replaces: 'KeyRing.commandProofKeys',
    broken: (commandProofKeys) =>
      function (generation) {
        return generation === undefined || generation === 1 ? commandProofKeys.call(this, generation) : [];
      },
  },
  {
    name: 'stored revocations stay in the document',
    // Two guards keep watch over it, so both are broken: the document itself, and what a master has read of the tables.
    module: 'src/core/accounts/desired-revocations.ts',
    replaces: 'desiredRevocations',
    broken:
      (desiredRevocations) =>
      (facts, ...rest) =>
        desiredRevocations({ ...facts, stored: {}, storedBans: [] }, ...rest),
    also: [
      {
        module: 'src/master/accounts/revocation-tables.ts',
        replaces: 'RevocationTables.read',
        broken: (read) =>
          async function () {
            const found = await read.call(this);
            this.revoked.clear();
            return found;
          },
      },
    ],
  },
];
