/** `zester auth init` makes the keys and credentials of a deployment. */
import { shellWord } from '../../core/shell-word.ts';
import { initAuthDir } from '../../trust/auth-dir.ts';
import { AUTH_FILES } from '../../trust/auth-files.ts';
import type { Command } from '../program/command.ts';
import {
  AUTH_DIR_OPTION,
  authDirOf,
  FORCE_OPTION,
  FORMAT_OPTION,
  labelled,
  printRecord,
} from '../program/common-options.ts';
import { currentUser } from '../program/current-user.ts';

export const authInitCommand: Command = {
  words: ['auth', 'init'],
  summary: 'make the keys, accounts and credentials of a deployment',
  examples: ['zester auth init --dir ./auth', 'zester auth init --dir ./auth --operator alice --format json'],
  detail: [
    'Writes the operator, the accounts ZESTER (masters, admins) and AGENTS (peels), the keys that masters share, and the',
    'credentials of masters and of one admin. Seeds and credentials are readable by their owner only. Masters and admins',
    'are fully trusted; keep the directory as you would keep root passwords.',
  ].join('\n'),
  options: [
    AUTH_DIR_OPTION,
    {
      name: 'operator',
      value: 'NAME',
      doc: 'who signs with the admin’s operator key; default the current user',
    },
    FORCE_OPTION,
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = authDirOf(context, given);
    const { clock, random } = context.runtime;
    const adminOperator = given.text('operator') ?? currentUser(context.env);
    const summary = initAuthDir(dir, random, clock.nowMs(), { adminOperator, force: given.on('force') });
    const files = Object.values(AUTH_FILES);
    printRecord(
      context,
      given,
      {
        dir,
        accounts: { ZESTER: summary.control, AGENTS: summary.agents, SYS: summary.system },
        operator: adminOperator,
      },
      () =>
        [
          `Wrote ${files.length} files to ${dir}\n`,
          labelled(files.map((file) => [file.path, file.doc])),
          `Next: ${context.program} ca init --dir ${shellWord(dir)}\n`,
        ].join('\n'),
    );
    return 0;
  },
};
