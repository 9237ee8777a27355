import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { type SealedSecrets, sealedSecretsCodec } from '../../wire/records/secrets.ts';
import { canaryText } from './canaries.ts';
import { SecretWatch } from './secret-watch.ts';

const LOGIN = Buffer.from(`login ${canaryText({ secret: 'login', version: 3 }, 1)}\n`);
const SECRET = Buffer.from(canaryText({ secret: 'vault', version: 3 }, 2));
const ODD = 'peel-1' as PeelId;
const EVEN = 'peel-2' as PeelId;
const NO_HEADERS = new Map<string, string>();

function watch() {
  const broken: string[] = [];
  const clock = virtualClock();
  const secrets = new SecretWatch((rule, text) => broken.push(`${rule}: ${text}`), clock.monotonicMs);
  return { broken, clock, secrets };
}

const record = (given: Partial<SealedSecrets>) =>
  sealedSecretsCodec.encode({
    generation: 1,
    settingsRevision: 5,
    fingerprint: 'f',
    sealed: { login: 'ENC[nkey,abc=]' },
    ...given,
  });

describe('the watch for secrets', () => {
  it('finds one in a message, a header, a subject and a log', () => {
    const { secrets, broken } = watch();
    secrets.message('peel-1', 'zester.a', Buffer.from(SECRET.toString('base64')), NO_HEADERS);
    secrets.message('peel-1', 'zester.b', Buffer.alloc(0), new Map([['h', LOGIN.toString()]]));
    secrets.message('peel-1', `zester.${LOGIN.toString('hex')}`, Buffer.alloc(0), NO_HEADERS);
    secrets.logged('master-1', `{"msg":"it is ${LOGIN}"}`);
    secrets.message('peel-1', 'zester.c', Buffer.from('[secret vault]'), NO_HEADERS);
    expect(broken.map((text) => / (sends|logs) /.exec(text)?.[1])).toEqual([
      'sends',
      'sends',
      'sends',
      'logs',
    ]);
  });

  it.each<[string, PeelId, string, Uint8Array, boolean]>([
    ['into its target', ODD, '/srv/vault/vault', SECRET, true],
    ['beside its target, on its way there', ODD, '/srv/vault/.zester-0123456789abcdef.tmp', SECRET, true],
    ['on a peel that may not have it', EVEN, '/srv/vault/vault', SECRET, false],
    ['into the target of another', ODD, '/srv/vault/login', SECRET, false],
    ['anywhere else', EVEN, '/var/lib/zester/peel/jobs/x', LOGIN, false],
    ['in another form', EVEN, '/srv/vault/login', Buffer.from(LOGIN.toString('base64')), false],
  ])('judges what a peel writes %s', (_, node, path, bytes, isAllowed) => {
    const { secrets, broken } = watch();
    secrets.peelWrites({ node, path: () => path, bytes });
    expect(broken.length === 0).toBe(isAllowed);
  });

  it('finds a placeholder that was deployed, and lets the mirror have it', () => {
    const { secrets, broken } = watch();
    const bytes = Buffer.from('login __ZESTER_SECRET:login__\n');
    secrets.peelWrites({ node: ODD, path: () => '/var/lib/zester/peel/cache/settings/base.zy', bytes });
    expect(broken).toEqual([]);
    secrets.peelWrites({ node: ODD, path: () => '/srv/vault/login', bytes });
    expect(broken).toHaveLength(1);
  });

  it('lets a master write one into its settings directory and nowhere else', () => {
    const { secrets, broken } = watch();
    secrets.masterWrites({ node: 'master-1', path: () => '/srv/zester/settings/base.zy', bytes: LOGIN });
    expect(broken).toEqual([]);
    secrets.masterWrites({ node: 'master-1', path: () => '/var/lib/zester/master/x', bytes: LOGIN });
    expect(broken).toHaveLength(1);
  });

  it.each<[string, PeelId, Partial<SealedSecrets>, string | undefined]>([
    ['newer ones', ODD, { settingsRevision: 6, fingerprint: 'g' }, undefined],
    [
      'older ones',
      ODD,
      { settingsRevision: 4, fingerprint: 'g' },
      'sealed secrets are never replaced by older ones',
    ],
    ['the same again', ODD, { settingsRevision: 6 }, 'what has not changed is not sealed again'],
    [
      'one that is not for it',
      EVEN,
      { fingerprint: 'g', sealed: { vault: 'ENC[nkey,abc=]' } },
      'no secret is outside its seals',
    ],
    [
      'one that is not sealed',
      ODD,
      { fingerprint: 'g', sealed: { login: 'x' } },
      'no secret is outside its seals',
    ],
  ])('judges what a peel is given: %s', (_, peel, given, rule) => {
    const { secrets, broken } = watch();
    secrets.sealed(peel, record({}));
    secrets.sealed(peel, record(given));
    expect(broken.map((text) => text.split(':')[0])).toEqual(rule === undefined ? [] : [rule]);
  });

  it('lets the same be sealed again for a while when an operator forces it', async () => {
    const { secrets, broken, clock } = watch();
    secrets.sealed(ODD, record({}));
    secrets.force('publish');
    secrets.sealed(ODD, record({}));
    expect(broken).toEqual([]);
    await clock.advance(200_000);
    secrets.sealed(ODD, record({}));
    expect(broken).toHaveLength(1);
  });

  it('begins anew after a record was removed', () => {
    const { secrets, broken } = watch();
    secrets.sealed(ODD, record({}));
    secrets.sealed(ODD, undefined);
    secrets.sealed(ODD, record({ settingsRevision: 2 }));
    expect(broken).toEqual([]);
  });
});
