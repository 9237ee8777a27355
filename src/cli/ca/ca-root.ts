/** `zester ca fingerprint` and `zester ca print`: what others need of the root certificate. */
import { spkiPin } from '../../trust/x509/ca.ts';
import { loadRoot } from '../../trust/x509/ca-dir.ts';
import type { Command } from '../program/command.ts';
import { AUTH_DIR_OPTION, authDirOf, FORMAT_OPTION, printRecord } from '../program/common-options.ts';

export const caFingerprintCommand: Command = {
  words: ['ca', 'fingerprint'],
  summary: 'print the pin of the root certificate',
  examples: ['zester ca fingerprint --dir ./auth'],
  detail: 'sha256 of the root’s public key: what a new peel is told so that it trusts the right deployment.',
  options: [AUTH_DIR_OPTION, FORMAT_OPTION],
  async run(context, given) {
    const fingerprint = spkiPin(loadRoot(authDirOf(context, given)).root);
    printRecord(context, given, { fingerprint }, () => `${fingerprint}\n`);
    return 0;
  },
};

export const caPrintCommand: Command = {
  words: ['ca', 'print'],
  summary: 'print the root certificate',
  examples: ['zester ca print --dir ./auth > ca.crt'],
  options: [AUTH_DIR_OPTION, FORMAT_OPTION],
  async run(context, given) {
    const { pem } = loadRoot(authDirOf(context, given));
    printRecord(context, given, { certificate: pem }, () => pem);
    return 0;
  },
};
