import { loadRoot } from '../../trust/x509/ca-dir.ts';
import type { Command } from '../program/command.ts';
import { AUTH_DIR_OPTION, authDirOf, FORMAT_OPTION, printRecord } from '../program/common-options.ts';

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
