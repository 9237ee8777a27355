/** `zester secret list` prints which secrets there are and who gets them; nobody prints a value. */
import { findPeel } from '../../client/peels/list-peels.ts';
import { readSecrets } from '../../client/secrets/ask-secrets.ts';
import type { SecretListing } from '../../wire/records/secret-admin.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';

const PEEL_OPTION: OptionSpec = { name: 'peel', value: 'PEEL', doc: 'only those that this peel gets' };

export const secretListCommand: Command = {
  words: ['secret', 'list'],
  summary: 'list the secrets in the published settings, and who gets them; never a value',
  examples: ['zester secret list', 'zester secret list --peel web-01', 'zester secret list --format json'],
  detail: [
    'AT REST is how the settings directory of the master holds the value: sealed to the fleet key, as `zester secret set`',
    'writes it, or as text that whoever can read the directory can read. PEELS counts the known peels that get it.',
  ].join('\n'),
  options: [PEEL_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of secrets', async (client) => {
      const name = given.text('peel');
      const peel = name === undefined ? '' : (await findPeel(client, name)).id;
      const secrets = await readSecrets(client, peel);
      const format = formatOf(given);
      if (format !== 'text') context.out(await formatData(secrets.map(record), format));
      else if (secrets.length === 0) context.out('There are no secrets.\n');
      else context.out(table(['SECRET', 'FILE', 'LINE', 'AT REST', 'PEELS'], secrets.map(row)));
      return 0;
    }),
};

function row({ path, file, line, sealedAtRest, peels }: SecretListing): readonly string[] {
  return [path, file, String(line), sealedAtRest ? 'sealed' : 'text', String(peels.length)];
}

function record({ path, file, line, sealedAtRest, peels }: SecretListing): object {
  return { path, file, line, sealed_at_rest: sealedAtRest, peels };
}
