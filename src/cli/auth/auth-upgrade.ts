/** `zester auth upgrade` brings account documents and credentials to the grants of this program. */
import { resolve } from 'node:path';
import { type AccountsUpgrade, upgradeAccounts } from '../../client/accounts/upgrade-accounts.ts';
import { count } from '../../core/doctor/finding.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { GRANTS_VERSION } from '../../wire/names/grants.ts';
import { CONNECT_OPTIONS, findPlace, type Place } from '../connect/find-place.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { FORMAT_OPTION, labelled, printRecord, SYSTEM_AUTH_DIR } from '../program/common-options.ts';

export const authUpgradeCommand: Command = {
  words: ['auth', 'upgrade'],
  summary: 'bring accounts and credentials to the grants of this version',
  examples: [
    'zester auth upgrade',
    'zester auth upgrade --nats-url tls://nats:4222 --auth-dir /var/lib/zester/auth',
  ],
  detail: [
    'Signs the account documents anew where they have older grants, renews the credentials of masters, admins and the system',
    'user, and hands the documents to every NATS server. Masters do this by themselves when they start and may write their',
    'auth directory. Needs the auth directory of a master. Where no server can be reached, only files are written. May be',
    'done again at any time; peels stay what they are, and those whose template changed log in again by themselves.',
  ].join('\n'),
  options: [...CONNECT_OPTIONS, FORMAT_OPTION],
  async run(context, given) {
    const place = placeOf(context, given);
    const authDir = place?.authDir ?? resolve(context.cwd, given.text('auth-dir') ?? SYSTEM_AUTH_DIR);
    const upgrade = await upgradeAccounts(authDir, place, context.runtime);
    printRecord(context, given, { auth_dir: authDir, grants: GRANTS_VERSION, ...recordOf(upgrade) }, () =>
      textOf(authDir, upgrade),
    );
    return upgrade.servers === undefined || upgrade.trouble === '' ? 0 : 1;
  },
};

/** Undefined where no deployment is named, or up: its files can be brought up to date all the same. */
function placeOf(context: CliContext, given: GivenOptions): Place | undefined {
  try {
    return findPlace(context, given);
  } catch (error) {
    if (isZesterError(error, 'CLI_NO_DEPLOYMENT')) return undefined;
    throw error;
  }
}

function recordOf({ files, older, servers, trouble }: AccountsUpgrade): Readonly<Record<string, unknown>> {
  return {
    files: files.map(({ path, from, to }) => ({ file: path, from, to })),
    servers:
      servers?.words.map(({ server, isTaken, message }) => ({ server, taken: isTaken, message })) ?? [],
    older,
    reached: servers !== undefined,
    recorded: servers?.isRecorded ?? false,
    revoked: servers?.revoked ?? 0,
    trouble,
  };
}

function textOf(authDir: string, { files, older, servers, trouble }: AccountsUpgrade): string {
  const renewed = files.filter(({ from, to }) => from !== to);
  const others = older.length === 0 ? 'Everything' : 'Everything else';
  const lines =
    files.length === 0
      ? [`${others} in ${authDir} has grants version ${GRANTS_VERSION}, or a newer one\n`]
      : [
          `Wrote ${count(files.length, 'file')} in ${authDir}\n`,
          labelled(
            files.map(({ path, from, to }) => [
              path,
              from === to ? 'as the servers have it' : `grants version ${from} → ${to}`,
            ]),
          ),
        ];
  if (older.length > 0)
    lines.push(`${older.join(', ')} is still older: it is renewed when every server has the documents\n`);
  if (renewed.some(({ path }) => path === 'admin.creds'))
    lines.push('Copy admin.creds to where operators work\n');
  if (servers === undefined)
    lines.push(`No NATS server was told (${trouble}); a master does it when it reaches them\n`);
  else {
    const told = servers.words.map(({ server, message }) => [server, message] as const);
    const some = servers.taken === servers.count ? '' : `${servers.taken} of `;
    const all = `${some}${count(servers.count, 'NATS server')}: grants version ${servers.grantsVersion}, ${servers.revoked} revoked\n`;
    lines.push(all, ...(told.length === 0 ? [] : [labelled(told)]));
    if (!servers.isRecorded)
      lines.push('There is no store for the record yet; the first master of this version makes it\n');
    if (trouble !== '') lines.push(`Not done: ${trouble}\n`);
  }
  return lines.join('');
}
