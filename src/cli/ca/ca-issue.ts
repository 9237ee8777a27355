/** `zester ca issue` issues a certificate for a server. */
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import { issueLeaf } from '../../trust/x509/ca.ts';
import { loadCa, writeLeaf } from '../../trust/x509/ca-dir.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Command } from '../program/command.ts';
import {
  AUTH_DIR_OPTION,
  authDirOf,
  durationOf,
  FORCE_OPTION,
  FORMAT_OPTION,
  labelled,
  printRecord,
} from '../program/common-options.ts';

/** Of a leaf, where nobody says. */
export const LEAF_VALIDITY_MS = 2160 * 3_600_000;

export const caIssueCommand: Command = {
  words: ['ca', 'issue'],
  summary: 'issue a certificate for a server',
  examples: [
    'zester ca issue --dir ./auth --name nats --dns nats.example.com --ip 10.0.0.5',
    'zester ca issue --dir ./auth --name nats --dns localhost --ip 127.0.0.1 --out ./tls --validity 720h',
  ],
  detail: 'Writes NAME.crt (the certificate and the intermediate) and NAME.key. Clients trust ca/root.crt.',
  options: [
    AUTH_DIR_OPTION,
    { name: 'name', value: 'NAME', doc: 'name of the two files' },
    { name: 'dns', value: 'HOST', repeatable: true, doc: 'a host name it is good for' },
    { name: 'ip', value: 'ADDRESS', repeatable: true, doc: 'an address it is good for' },
    { name: 'out', value: 'DIR', doc: 'where to write; default the directory of the CA’s keys' },
    {
      name: 'validity',
      value: 'DURATION',
      doc: 'how long it is good; default 2160h, at most as long as the CA',
    },
    FORCE_OPTION,
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = authDirOf(context, given);
    const name = given.text('name');
    const names = [...given.texts('dns'), ...given.texts('ip')];
    if (name === undefined)
      throw zesterError('CLI_MISSING_OPTION', { command: 'ca issue', option: '--name' });
    if (!/^[A-Za-z0-9_-]+$/.test(name)) {
      throw zesterError('CLI_OPTION_VALUE', { option: '--name', problem: 'is letters, digits, - and _' });
    }
    const wrong = given.texts('ip').find((address) => isIP(address) === 0);
    if (wrong !== undefined)
      throw zesterError('CLI_OPTION_VALUE', { option: '--ip', problem: `is an address, not ${wrong}` });
    if (names.length === 0)
      throw zesterError('CLI_MISSING_OPTION', { command: 'ca issue', option: '--dns or --ip' });
    const { clock, random } = context.runtime;
    const request = { names, validMs: durationOf(given, 'validity', LEAF_VALIDITY_MS) };
    const leaf = issueLeaf(loadCa(dir), request, random, clock.nowMs());
    const out = resolve(context.cwd, given.text('out') ?? dir);
    writeLeaf(out, name, leaf, { force: given.on('force') });
    const record = {
      certificate: join(out, `${name}.crt`),
      key: join(out, `${name}.key`),
      names,
      not_after: formatRfc3339(nanosFromMs(leaf.notAfterMs)),
    };
    printRecord(context, given, record, () =>
      labelled([
        ['certificate', record.certificate],
        ['key', record.key],
        ['good for', names.join(', ')],
        ['good until', record.not_after],
      ]),
    );
    return 0;
  },
};
