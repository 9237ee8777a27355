/** `waitForReaders` waits until peels have read what was sealed for them, shows how far it is, and says who has not. */
import type { ClientContext } from '../../client/client-context.ts';
import { type SecretReaders, whenSecretsRead } from '../../client/secrets/secret-readers.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { CliContext, GivenOptions, OptionSpec } from '../program/command.ts';
import { durationOf, formatOf } from '../program/common-options.ts';
import { displayName } from '../terminal/peel-names.ts';
import { NO_TICKER, startTicker } from '../terminal/progress-ticker.ts';
import { interruption } from '../terminal/wait-for.ts';

const TIMEOUT_MS = 90_000;
export const EXIT_SILENT = 3;
const NAMES_SHOWN_MAX = 20;

export const READERS_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'timeout',
    value: 'TIME',
    doc: 'how long to wait for peels that are online to read it; default 90s',
  },
  { name: 'no-wait', doc: 'do not wait for peels' },
];

/** Undefined: nobody was waited for. */
export async function waitForReaders(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  wanted: { readonly peels: readonly PeelId[] | undefined; readonly settingsRevision: number },
): Promise<SecretReaders | undefined> {
  const timeoutMs = durationOf(given, 'timeout', TIMEOUT_MS);
  if (given.on('no-wait')) return undefined;
  let seen: SecretReaders = { read: [], waiting: [], offline: [] };
  const progress = () =>
    `${seen.read.length} of ${seen.read.length + seen.waiting.length} peels that are online have read it`;
  const ticker = formatOf(given) === 'text' ? startTicker(context, progress) : NO_TICKER;
  try {
    return await whenSecretsRead(client, { ...wanted, timeoutMs }, (readers) => {
      seen = readers;
    });
  } catch (error) {
    if (!context.interrupted.aborted) throw error;
    throw interruption({
      what: 'peels to read it',
      ifLeft: `it is sealed for them; ${progress()}`,
      next: 'nothing; they read it by themselves',
    });
  } finally {
    ticker.stop();
  }
}

export function readersText(readers: SecretReaders | undefined): string {
  if (readers === undefined) return 'Peels read it by themselves; nobody waited for them.\n';
  const { read, waiting, offline } = readers;
  const online = read.length + waiting.length;
  const lines = [
    online === 0
      ? 'No peel that gets it is online.'
      : `Read by ${read.length} of ${online} peels that are online.`,
    ...(waiting.length === 0 ? [] : [`Not read in time by: ${names(waiting)}`]),
    ...(offline.length === 0 ? [] : [`Offline, they read it when they are back: ${names(offline)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** For programs. */
export function readersRecord(readers: SecretReaders | undefined): object {
  return { waited: readers !== undefined, ...(readers ?? { read: [], waiting: [], offline: [] }) };
}

export function readersExit(readers: SecretReaders | undefined): number {
  return readers !== undefined && readers.waiting.length > 0 ? EXIT_SILENT : 0;
}

export function names(peels: readonly string[]): string {
  const shown = peels.slice(0, NAMES_SHOWN_MAX).map(displayName).join(', ');
  return peels.length > NAMES_SHOWN_MAX ? `${shown} and ${peels.length - NAMES_SHOWN_MAX} more` : shown;
}
