/** `zester secret reencrypt` has the secrets of one peel, or of all, sealed anew from the published settings. */
import { findPeel } from '../../client/peels/list-peels.ts';
import { resealSecrets } from '../../client/secrets/ask-secrets.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { Command, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import {
  READERS_OPTIONS,
  readersExit,
  readersRecord,
  readersText,
  waitForReaders,
} from './wait-for-readers.ts';

const PEEL_OPTION: OptionSpec = { name: 'peel', value: 'PEEL', doc: 'only for this peel; default all' };

export const secretReencryptCommand: Command = {
  words: ['secret', 'reencrypt'],
  summary: 'seal secrets anew, also where nothing changed',
  examples: ['zester secret reencrypt', 'zester secret reencrypt --peel web-01'],
  detail: [
    'Masters seal by themselves when settings, or the key of a peel, change. This is for a store that was restored from a',
    'backup, and for a peel that says that it cannot open what it has.',
  ].join('\n'),
  options: [PEEL_OPTION, ...READERS_OPTIONS, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const name = given.text('peel');
      const sealing = {
        what: 'the master that publishes settings',
        ifLeft: 'whether secrets were sealed is not known, and does no harm',
        next: 'run the command again',
      };
      const peel = name === undefined ? '' : (await waitFor(sealing, findPeel(client, name))).id;
      const sealed = await waitFor(sealing, resealSecrets(client, peel));
      const format = formatOf(given);
      if (format === 'text') context.out(`Sealed for ${sealed} ${sealed === 1 ? 'peel' : 'peels'}.\n`);
      const one = parsePeelId(peel);
      const wanted = { peels: one === undefined ? undefined : [one], settingsRevision: 0 };
      const readers = sealed === 0 ? undefined : await waitForReaders(context, given, client, wanted);
      if (format !== 'text') context.out(await formatData({ sealed, ...readersRecord(readers) }, format));
      else if (sealed > 0) context.out(readersText(readers));
      return readersExit(readers);
    }),
};
