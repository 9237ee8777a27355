/**
 * `zester auth operator renew` gets the operator key of this machine a certificate by the newest generation of the fleet key, and
 * `zester auth operator issue` makes a key for another operator.
 *
 * A master renews what is still good. What is not, and what is new, is made here, by whoever has the seed of the account: that
 * of a master's auth directory. The key file is replaced as a whole; dying before that leaves the old one.
 */
import { resolve } from 'node:path';
import { renewOperator } from '../../client/fleet-key/ask-fleet-key.ts';
import { newestGeneration } from '../../client/fleet-key/newest-generation.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { loadMasterTrust } from '../../trust/auth-dir.ts';
import { AUTH_FILES } from '../../trust/auth-files.ts';
import { hasSecretFile, SECRET_MODE, writeKeyFiles } from '../../trust/key-files.ts';
import {
  certifyOperator,
  formatOperatorKey,
  generationOfCertificate,
  newOperatorKey,
  type OperatorKey,
} from '../../trust/operator-key.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import { CONNECT_OPTIONS, findPlace } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { durationOf, FORCE_OPTION, FORMAT_OPTION, labelled, printRecord } from '../program/common-options.ts';

const ASKING = {
  what: 'a master',
  ifLeft: 'the key file is as it was',
  next: 'run the command again',
};

export const authOperatorRenewCommand: Command = {
  words: ['auth', 'operator', 'renew'],
  summary: 'renew the operator certificate of this machine',
  examples: ['zester auth operator renew', 'zester auth operator renew --auth-dir /var/lib/zester/auth'],
  detail: [
    'A master renews a certificate of a generation of the fleet key that is still good. Afterwards it takes the account.seed of a',
    'master in the auth directory, so that a stolen key ends with its generation.',
  ].join('\n'),
  options: [FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const { authDir } = findPlace(context, given);
      const key = client.operatorKey();
      const renewed = await waitFor(
        ASKING,
        renewOperator(client, key).catch(async (error: unknown) => {
          if (!isZesterError(error, 'AUTH_REFUSED') || !hasAccountSeed(authDir)) throw error;
          const fleetKey = await newestGeneration(client, loadMasterTrust(authDir).control);
          const issued = nanosFromMs(context.runtime.clock.nowMs());
          const identity = { ...key.certificate, issued };
          return { ...key, certificate: certifyOperator(fleetKey.commandKey, identity, fleetKey.generation) };
        }),
      );
      print(context, given, writeOperatorKey(authDir, renewed), renewed);
      return 0;
    }),
};

export const authOperatorIssueCommand: Command = {
  words: ['auth', 'operator', 'issue'],
  summary: 'make an operator key for somebody, with the auth directory of a master',
  examples: ['zester auth operator issue --name bob --out ./bob --expires 2160h'],
  detail: [
    'Writes admin-operator.key, with which its owner cancels jobs and calls peels directly, under this name in logs. It goes into',
    'the auth directory of that person, beside admin.creds.',
  ].join('\n'),
  options: [
    { name: 'name', value: 'NAME', doc: 'who signs with it' },
    { name: 'out', value: 'DIR', doc: 'the directory to write into' },
    { name: 'expires', value: 'DURATION', doc: 'how long it is good; default without end' },
    FORCE_OPTION,
    FORMAT_OPTION,
    ...CONNECT_OPTIONS,
  ],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const [name, out] = [given.text('name'), given.text('out')];
      const missing = (option: string) =>
        zesterError('CLI_MISSING_OPTION', { command: 'auth operator issue', option });
      if (name === undefined) throw missing('--name');
      if (out === undefined) throw missing('--out');
      const { authDir } = findPlace(context, given);
      const fleetKey = await waitFor(ASKING, newestGeneration(client, loadMasterTrust(authDir).control));
      const { clock, random } = context.runtime;
      const issued = nanosFromMs(clock.nowMs());
      const lifeMs = durationOf(given, 'expires', 0);
      const expires = lifeMs === 0 ? undefined : issued + nanosFromMs(lifeMs);
      const key = newOperatorKey(random, fleetKey.commandKey, { name, issued, expires }, fleetKey.generation);
      print(context, given, writeOperatorKey(resolve(context.cwd, out), key, given.on('force')), key);
      return 0;
    }),
};

/** The path of the file. */
export function writeOperatorKey(directory: string, key: OperatorKey, force = true): string {
  const { path } = AUTH_FILES.adminOperatorKey;
  writeKeyFiles(directory, [{ path, mode: SECRET_MODE, text: formatOperatorKey(key) }], { force });
  return `${directory}/${path}`;
}

function hasAccountSeed(directory: string): boolean {
  return hasSecretFile(`${directory}/${AUTH_FILES.controlSeed.path}`);
}

function print(context: CliContext, given: GivenOptions, path: string, { certificate }: OperatorKey): void {
  const generation = generationOfCertificate(certificate);
  const expires = certificate.expires === undefined ? null : formatRfc3339(certificate.expires);
  printRecord(context, given, { key: path, operator: certificate.name, generation, expires }, () =>
    labelled([
      ['key', path],
      ['operator', certificate.name],
      ['generation', String(generation)],
      ['good until', expires ?? 'its generation of the fleet key ends'],
    ]),
  );
}
