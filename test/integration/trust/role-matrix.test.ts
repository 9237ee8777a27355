/** Every cell of the role matrix, tried: what a role may publish and subscribe, and what it may not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, Denial } from '../../../src/bus/connection.ts';
import { MATRIX_PEEL, ROLE_MATRIX } from '../../../src/wire/names/role-matrix.ts';
import { SERVERS_UNDER_TEST, type ServerUnderTest } from '../../harness/servers/two-servers.ts';
import { until } from '../../harness/until.ts';

/** Granted to nobody. */
const SENTINEL = 'nobody.may.this';
const NOTHING = new Uint8Array(0);

describe.each(SERVERS_UNDER_TEST)('role matrix on %s', (_name, start) => {
  let server: ServerUnderTest;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  /** Does it for every row and returns the subjects that were refused. Refusals come in order, so the sentinel's is last. */
  async function refused(
    connection: Connection,
    operation: Denial['operation'],
    attempt: (subject: string) => void,
  ): Promise<Set<string>> {
    const subjects = new Set<string>();
    const denials = connection.onDenied((denial) => {
      if (denial.operation === operation) subjects.add(denial.subject);
    });
    for (const { subject } of ROLE_MATRIX) attempt(subject);
    attempt(SENTINEL);
    await until(() => subjects.has(SENTINEL), 'the last refusal');
    denials.unsubscribe();
    return subjects;
  }

  for (const role of ['master', 'admin', 'peel'] as const) {
    it(`${role}: publishes exactly what the matrix says`, async () => {
      const connection = await server.connect(role, role === 'peel' ? MATRIX_PEEL : role);
      const denied = await refused(connection, 'publish', (subject) => connection.publish(subject, NOTHING));
      const wrong = ROLE_MATRIX.filter((row) => row[role].pub === denied.has(row.subject));
      expect(
        wrong.map((row) => `${row.subject}: publish should be ${row[role].pub ? 'allowed' : 'denied'}`),
      ).toEqual([]);
    });

    it(`${role}: subscribes exactly what the matrix says`, async () => {
      const connection = await server.connect(role, role === 'peel' ? MATRIX_PEEL : role);
      const denied = await refused(connection, 'subscription', (subject) => {
        connection.subscribe(subject, undefined, () => undefined);
      });
      const wrong = ROLE_MATRIX.filter((row) => row[role].sub === denied.has(row.subject));
      expect(
        wrong.map((row) => `${row.subject}: subscribe should be ${row[role].sub ? 'allowed' : 'denied'}`),
      ).toEqual([]);
    });
  }
});
