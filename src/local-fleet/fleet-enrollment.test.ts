import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { mintPeelUser } from '../trust/accounts/users.ts';
import { formatCreds } from '../trust/creds.ts';
import { PUBLIC_MODE, SECRET_MODE, writeKeyFiles } from '../trust/key-files.ts';
import { newSigningKey } from '../trust/nkeys.ts';
import type { PeelId } from '../wire/names/ids.ts';
import { hasJoined, peelAuth, settleDoorPorts } from './fleet-enrollment.ts';

const PEEL = 'web-01' as PeelId;
const PIN = 'sha256:00';
const DAY_MS = 86_400_000;
const JOINED_MS = 1_800_000_000_000;
const random = seededRandom(1);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-joined-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What a join leaves, as far as it matters here. */
function joined(): string {
  const [account, key] = [newSigningKey('account', random), newSigningKey('user', random)];
  const jwt = mintPeelUser(account, {
    peelId: PEEL,
    userPublicKey: key.publicKey,
    agentsAccount: account.publicKey,
    nowMs: JOINED_MS,
    expiresAtMs: JOINED_MS + 180 * DAY_MS,
  });
  const auth = peelAuth(dir, PEEL);
  writeKeyFiles(
    auth,
    [
      { path: `${PEEL}.creds`, mode: SECRET_MODE, text: formatCreds(jwt, key) },
      { path: 'enrollment.json', mode: PUBLIC_MODE, text: JSON.stringify({ ca_pin: PIN }) },
    ],
    { force: false },
  );
  return join(auth, `${PEEL}.creds`);
}

it('a peel has joined as long as its credentials are of this deployment and let it connect', () => {
  expect(hasJoined(dir, PEEL, PIN, JOINED_MS)).toBe(false);
  joined();
  expect(hasJoined(dir, PEEL, PIN, JOINED_MS + 179 * DAY_MS)).toBe(true);
  expect(hasJoined(dir, PEEL, 'sha256:11', JOINED_MS)).toBe(false);
  // A fleet that was down for half a year: the peel could not connect, and knows no door that is open now.
  expect(hasJoined(dir, PEEL, PIN, JOINED_MS + 180 * DAY_MS - 1_000)).toBe(false);
  expect(hasJoined(dir, PEEL, PIN, JOINED_MS + 181 * DAY_MS)).toBe(false);
});

it('a peel whose credentials are cut off has not', () => {
  writeFileSync(joined(), 'nonsense');
  expect(hasJoined(dir, PEEL, PIN, JOINED_MS)).toBe(false);
});

it('doors keep their ports, but for one that another program has now; a damaged record is begun anew', async () => {
  const ports = await settleDoorPorts(dir, 2, random);
  expect(new Set(ports).size).toBe(2);
  expect(await settleDoorPorts(dir, 2, random)).toEqual(ports);
  const [first = 0, second] = ports;
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(first, '127.0.0.1', resolve));
  try {
    const [moved, kept] = await settleDoorPorts(dir, 2, random);
    expect([moved === first, kept]).toEqual([false, second]);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
  writeFileSync(join(dir, 'enroll', 'ports.json'), '{"door_ports":["x"]}');
  expect(await settleDoorPorts(dir, 1, random)).toHaveLength(1);
});
