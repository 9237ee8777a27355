/** `zester secret set` and `zester secret rotate` put a value into a settings file, sealed, and wait for the peels. */
import type { ClientContext } from '../../client/client-context.ts';
import { type StoredSecret, storeSecret } from '../../client/secrets/ask-secrets.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import type { SecretListing } from '../../wire/records/secret-admin.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import type { WaitFor } from '../terminal/wait-for.ts';
import { GENERATE_OPTION, secretValue } from './secret-value.ts';
import {
  EXIT_SILENT,
  names,
  READERS_OPTIONS,
  readersExit,
  readersRecord,
  readersText,
  waitForReaders,
} from './wait-for-readers.ts';

const DETAIL = [
  'FILE is a path in the settings directory of the master that publishes, such as db/credentials.zy; PATH is the setting in',
  'it, such as database.password, or users.0.password for an item of a list. The value is sealed here, to the fleet key, and',
  'stands in the file so: `password: !encrypted "ENC[fleet,1,…]"`. Only masters can open it. Everything else in the file stays.',
  '',
  'Without --generate the value is asked for, and not shown; where the input is no terminal, it is read from there, without',
  'the line break at its end. It is never taken from the command line.',
].join('\n');

const OPTIONS = [GENERATE_OPTION, ...READERS_OPTIONS, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS];
const inArguments = () => zesterError('SECRET_IN_ARGUMENTS', {});

export const secretSetCommand: Command = {
  words: ['secret', 'set'],
  takesWords: '<file> <path>',
  extraWord: inArguments,
  summary: 'put a secret into a settings file, sealed, and wait until its peels have it',
  examples: [
    'zester secret set db/credentials.zy database.password',
    'zester secret set db/credentials.zy database.password --generate',
    'zester secret set web.zy tls.key < key.pem',
  ],
  detail: `${DETAIL}\nA file or a key that is not there is made.`,
  options: OPTIONS,
  run: (context, given) => run(context, given, false),
};

export const secretRotateCommand: Command = {
  words: ['secret', 'rotate'],
  takesWords: '<file> <path>',
  extraWord: inArguments,
  summary: 'replace the value of a secret that is there',
  examples: [
    'zester secret rotate db/credentials.zy database.password',
    'zester secret rotate db/credentials.zy database.password --generate',
  ],
  detail: `${DETAIL}\nA setting that is no secret yet is refused.`,
  options: OPTIONS,
  run: (context, given) => run(context, given, true),
};

async function run(context: CliContext, given: GivenOptions, mustExist: boolean): Promise<number> {
  // Before anything is connected: nobody's typing is waited for with a line open.
  const value = await secretValue(context, given);
  return withClient(context, given, (client, waitFor) =>
    store(context, given, client, waitFor, { value, mustExist }),
  );
}

async function store(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  waitFor: WaitFor,
  { value, mustExist }: { readonly value: string; readonly mustExist: boolean },
): Promise<number> {
  const [file = '', path = ''] = given.words();
  const storing = {
    what: 'the master that publishes settings',
    ifLeft: 'whether the value was stored is not known',
    next: `${context.program} secret list${placeWords(given)}`,
  };
  const stored = await waitFor(storing, storeSecret(client, { file, path, value, mustExist }));
  const { settingsRevision, listing, unsealed } = stored;
  const format = formatOf(given);
  const peels = peelsOf(listing).filter((peel) => !unsealed.includes(peel));
  if (format === 'text') context.out(storedText(file, path, stored));
  const readers =
    peels.length === 0
      ? undefined
      : await waitForReaders(context, given, client, { peels, settingsRevision });
  if (format !== 'text') {
    const record = {
      file,
      path: listing?.path ?? path,
      settings_revision: settingsRevision,
      generated: given.on('generate'),
      was_plain: stored.wasPlain,
      not_sealed: unsealed,
      ...readersRecord(readers),
    };
    context.out(await formatData(record, format));
  } else if (peels.length > 0) context.out(readersText(readers));
  return unsealed.length > 0 ? EXIT_SILENT : readersExit(readers);
}

function peelsOf(listing: SecretListing | undefined) {
  return (listing?.peels ?? []).flatMap((name) => parsePeelId(name) ?? []);
}

function storedText(file: string, path: string, stored: StoredSecret): string {
  const { settingsRevision, listing, unsealed, wasPlain } = stored;
  const count = listing?.peels.length ?? 0;
  const who =
    count === 0
      ? 'No known peel gets it: no line of the top file gives the file to one by its id.'
      : `${count} ${count === 1 ? 'peel gets' : 'peels get'} it.`;
  const lines = [
    `${printableLine(path)} is in ${printableLine(file)}, settings revision ${settingsRevision}. ${who}`,
    ...(wasPlain ? [WAS_PLAIN] : []),
    ...(unsealed.length > 0
      ? [`Not sealed yet, they have what was before: ${names(unsealed)}. ${UNSEALED}`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

const WAS_PLAIN =
  'It took the place of a value that stood there as plain text: peels and backups may still have that one.';
const UNSEALED = 'It is tried again; the log of the master says why';
