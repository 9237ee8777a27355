/** Which deployment a command goes to, by what was said on its command line and in the environment. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { writeFleetFile } from '../../local-fleet/fleet-file.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';
import { CONNECT_OPTIONS, findPlace, type Place } from './find-place.ts';

const cwd = mkdtempSync(join(tmpdir(), 'zester-place-'));
afterAll(() => rmSync(cwd, { recursive: true }));

function fleet(name: string, url: string): void {
  const dir = join(cwd, name);
  mkdirSync(dir);
  const authDir = join(dir, 'auth');
  const caFile = join(authDir, 'ca/root.crt');
  writeFleetFile(dir, { url, authDir, caFile, pid: 1, servers: [], masters: [], peels: [] });
}
fleet('.zester', 'tls://127.0.0.1:1,tls://127.0.0.1:2');
fleet('other', 'tls://127.0.0.1:3');

type Words = Readonly<Record<string, string>>;

function place(words: Words = {}, env: Words = {}): Place | string {
  const given = { text: (name: string) => words[name] } as unknown as GivenOptions;
  try {
    return findPlace({ cwd, env } as unknown as CliContext, given);
  } catch (error) {
    if (isZesterError(error)) return error.code;
    throw error;
  }
}

const LOCAL = {
  servers: ['tls://127.0.0.1:1', 'tls://127.0.0.1:2'],
  authDir: join(cwd, '.zester/auth'),
  caFile: join(cwd, '.zester/auth/ca/root.crt'),
  fleetDir: join(cwd, '.zester'),
};
const OTHER = {
  servers: ['tls://127.0.0.1:3'],
  authDir: join(cwd, 'other/auth'),
  caFile: join(cwd, 'other/auth/ca/root.crt'),
  fleetDir: join(cwd, 'other'),
};
const FAR = {
  servers: ['tls://h:4222'],
  authDir: '/var/lib/zester/auth',
  caFile: '/var/lib/zester/auth/ca/root.crt',
};

describe('the deployment of a command', () => {
  it('is the local one, with every server of it, where nothing else is said', () => {
    expect(place()).toEqual(LOCAL);
  });

  it.each(CONNECT_OPTIONS.map(({ name }) => name))('--%s is not ignored beside a local fleet', (name) => {
    expect(place({ [name]: 'elsewhere' })).not.toEqual(LOCAL);
  });

  it.each(['NATS_URL', 'NATS_CA_FILE', 'ZESTER_DIR'])('%s is not ignored beside a local fleet', (name) => {
    expect(place({}, { [name]: 'elsewhere' })).not.toEqual(LOCAL);
    expect(place({}, { [name]: '' })).toEqual(LOCAL);
  });

  it('each word wins for what it names', () => {
    expect(place({ ca: 'my.crt' })).toEqual({ ...LOCAL, caFile: join(cwd, 'my.crt') });
    expect(place({}, { NATS_CA_FILE: '/my.crt' })).toEqual({ ...LOCAL, caFile: '/my.crt' });
    expect(place({ ca: '/a.crt' }, { NATS_CA_FILE: '/b.crt' })).toEqual({ ...LOCAL, caFile: '/a.crt' });
    expect(place({ 'auth-dir': '/auth' })).toEqual({
      ...LOCAL,
      authDir: '/auth',
      caFile: '/auth/ca/root.crt',
    });
    expect(place({ dir: 'other', ca: '/a.crt' })).toEqual({ ...OTHER, caFile: '/a.crt' });
  });

  it('an address takes nothing from the local fleet', () => {
    expect(place({ 'nats-url': 'tls://h:4222' })).toEqual(FAR);
    expect(place({}, { NATS_URL: 'tls://h:4222' })).toEqual(FAR);
    expect(place({ 'nats-url': 'tls://h:4222' }, { NATS_URL: 'tls://x', ZESTER_DIR: 'other' })).toEqual(FAR);
    expect(place({ 'nats-url': 'tls://h:4222', ca: '/a.crt' })).toEqual({ ...FAR, caFile: '/a.crt' });
  });

  it('a directory on the command line is a whole deployment: variables do not count beside it', () => {
    const env = { NATS_URL: 'tls://h', NATS_CA_FILE: '/b.crt', ZESTER_DIR: '.zester' };
    expect(place({ dir: 'other' }, env)).toEqual(OTHER);
  });

  it('two words for two deployments are refused', () => {
    expect(place({ dir: 'other', 'nats-url': 'tls://h' })).toBe('CLI_TWO_PLACES');
    expect(place({}, { ZESTER_DIR: 'other', NATS_URL: 'tls://h' })).toBe('CLI_TWO_PLACES');
  });

  it('where no fleet is, that is said', () => {
    expect(place({ dir: 'nowhere' })).toBe('CLI_NO_DEPLOYMENT');
  });
});
