/** `zester ca init` makes the certificate authority of a deployment. */
import { shellWord } from '../../core/shell-word.ts';
import { spkiPin } from '../../trust/x509/ca.ts';
import { initCaDir, rootPath } from '../../trust/x509/ca-dir.ts';
import type { Command } from '../program/command.ts';
import {
  AUTH_DIR_OPTION,
  authDirOf,
  FORCE_OPTION,
  FORMAT_OPTION,
  labelled,
  printRecord,
} from '../program/common-options.ts';

export const caInitCommand: Command = {
  words: ['ca', 'init'],
  summary: 'make the certificate authority of a deployment',
  examples: ['zester ca init --dir ./auth'],
  detail: [
    'Makes a root (10 years) and an intermediate (5 years) that signs certificates. The root’s key, ca/root.key, is needed',
    'only to make another intermediate: move it to a safe place.',
  ].join('\n'),
  options: [AUTH_DIR_OPTION, FORCE_OPTION, FORMAT_OPTION],
  async run(context, given) {
    const dir = authDirOf(context, given);
    const { clock, random } = context.runtime;
    const ca = initCaDir(dir, random, clock.nowMs(), { force: given.on('force') });
    const fingerprint = spkiPin(ca.root);
    printRecord(context, given, { root: rootPath(dir), fingerprint }, () =>
      [
        'Made a certificate authority\n',
        labelled([
          ['root', rootPath(dir)],
          ['fingerprint', fingerprint],
        ]),
        `Next: ${context.program} ca issue --dir ${shellWord(dir)} --name nats --dns nats.example.com\n`,
      ].join('\n'),
    );
    return 0;
  },
};
