/** `zester ca renew` issues a certificate anew before it ends, and `zester ca rotate-intermediate` makes another intermediate. */
import { join, resolve } from 'node:path';
import { isRenewalDue, renewFromMs } from '../../core/certificate-life.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { shellWord } from '../../core/shell-word.ts';
import { issueLeaf, spkiPin, validityAsked } from '../../trust/x509/ca.ts';
import { leafIn, loadCa, rotateIntermediate, type StoredLeaf, writeLeaf } from '../../trust/x509/ca-dir.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Command } from '../program/command.ts';
import {
  AUTH_DIR_OPTION,
  authDirOf,
  durationOf,
  FORMAT_OPTION,
  labelled,
  printRecord,
} from '../program/common-options.ts';

import { LEAF_VALIDITY_MS } from './ca-issue.ts';

const timeOf = (ms: number) => formatRfc3339(nanosFromMs(ms));

export const caRenewCommand: Command = {
  words: ['ca', 'renew'],
  summary: 'issue a certificate anew when two thirds of its life are over',
  examples: [
    'zester ca renew --dir ./auth --name nats',
    'zester ca renew --dir ./auth --name nats --out ./tls --now',
  ],
  detail: [
    'Replaces NAME.crt and NAME.key by new ones for the same names and the same time, from the intermediate there is now; before two',
    'thirds of its life it does nothing, so it can run every day. A key that does not fit the certificate, as a crash in the middle',
    'leaves it, is a reason too. A nats-server reads them again on SIGHUP (`nats-server --signal reload`), and connections stay.',
  ].join('\n'),
  options: [
    AUTH_DIR_OPTION,
    { name: 'name', value: 'NAME', doc: 'name of the two files' },
    { name: 'out', value: 'DIR', doc: 'where they are; default the directory of the CA’s keys' },
    {
      name: 'validity',
      value: 'DURATION',
      doc: 'how long the new one is good; default as long as the old one was issued for, or 2160h where that cannot be seen',
    },
    { name: 'now', doc: 'also when it is not due' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = authDirOf(context, given);
    const name = given.text('name');
    if (name === undefined)
      throw zesterError('CLI_MISSING_OPTION', { command: 'ca renew', option: '--name' });
    if (!/^[A-Za-z0-9_-]+$/.test(name))
      throw zesterError('CLI_OPTION_VALUE', { option: '--name', problem: 'is letters, digits, - and _' });
    const out = resolve(context.cwd, given.text('out') ?? dir);
    const certificate = join(out, `${name}.crt`);
    const old = leafIn(out, name);
    if (old === undefined) throw zesterError('TRUST_FILE_MISSING', { file: certificate });
    const { clock, random } = context.runtime;
    const nowMs = clock.nowMs();
    const isRenewed = given.on('now') || !old.hasItsKey || isRenewalDue(old, nowMs);
    const validMs = durationOf(given, 'validity', validityAsked(old, old.issuerEndsMs) ?? LEAF_VALIDITY_MS);
    let endsMs = old.endsMs;
    if (isRenewed) {
      const leaf = issueLeaf(loadCa(dir), { names: old.names, validMs }, random, nowMs);
      writeLeaf(out, name, leaf, { force: true });
      endsMs = leaf.notAfterMs;
    }
    const record = { certificate, renewed: isRenewed, names: old.names, not_after: timeOf(endsMs) };
    printRecord(context, given, record, () =>
      labelled([
        ['certificate', certificate],
        ['renewed', renewedText(old, isRenewed)],
        ['good until', record.not_after],
      ]),
    );
    return 0;
  },
};

function renewedText(old: StoredLeaf, isRenewed: boolean): string {
  if (!isRenewed) return `not before ${timeOf(renewFromMs(old))}`;
  return old.hasItsKey ? 'yes' : 'yes, because the key beside it was not its own';
}

export const caRotateIntermediateCommand: Command = {
  words: ['ca', 'rotate-intermediate'],
  summary: 'make another intermediate under the same root',
  examples: ['zester ca rotate-intermediate --dir ./auth'],
  detail: [
    'Needs ca/root.key, which you keep in a safe place: put it there, and take it away again. Everybody trusts the root, so peels and',
    'clients notice nothing. Certificates of the old intermediate stay good until they end; issue them anew with `zester ca renew',
    '--now`, and copy ca/intermediate.crt and ca/intermediate.key to the other masters.',
  ].join('\n'),
  options: [AUTH_DIR_OPTION, FORMAT_OPTION],
  async run(context, given) {
    const dir = authDirOf(context, given);
    const { clock, random } = context.runtime;
    const ca = rotateIntermediate(dir, random, clock.nowMs());
    const record = {
      intermediate: join(dir, 'ca', 'intermediate.crt'),
      fingerprint: spkiPin(ca.root),
      not_after: timeOf(ca.intermediate.notAfterMs),
    };
    printRecord(context, given, record, () =>
      [
        labelled([
          ['intermediate', record.intermediate],
          ['good until', record.not_after],
          ['root, unchanged', record.fingerprint],
        ]),
        `Next: ${context.program} ca renew --dir ${shellWord(dir)} --name nats --now\n`,
      ].join('\n'),
    );
    return 0;
  },
};
