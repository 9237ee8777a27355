/** `zester auth rotate operator-key` replaces the key that signs account documents, in files, while nothing runs. */
import { dirname, resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import { readFleetFile } from '../../local-fleet/fleet-file.ts';
import { rotateOperatorKey } from '../../trust/accounts/rotate-operator.ts';
import type { Command } from '../program/command.ts';
import {
  AUTH_DIR_OPTION,
  authDirOf,
  FORMAT_OPTION,
  labelled,
  printRecord,
} from '../program/common-options.ts';

export const authRotateOperatorKeyCommand: Command = {
  words: ['auth', 'rotate', 'operator-key'],
  summary: 'make another key that signs account documents, while masters and servers are stopped',
  examples: ['zester auth rotate operator-key --dir ./auth'],
  detail: [
    'Changes files only. Stop the masters and all NATS servers first: a server reads who the operator is when it starts, and one that',
    'does not know the new key lets nobody in. Needs operator-identity.seed, which you keep in a safe place: put it there, and',
    'take it away again. Then give every server its new operator.jwt and resolver-preload.conf and every master the new files,',
    'start the servers, then the masters. Peels keep their credentials and come back by themselves.',
  ].join('\n'),
  options: [AUTH_DIR_OPTION, FORMAT_OPTION],
  async run(context, given) {
    const dir = authDirOf(context, given);
    mustBeDown(dir);
    const { clock, random } = context.runtime;
    const { generation, files } = rotateOperatorKey(dir, random, clock.nowMs());
    printRecord(context, given, { dir, generation, files }, () =>
      [
        `Wrote ${files.length} files to ${dir}: generation ${generation} of the operator key\n`,
        labelled(files.map((file) => [file, forWhom(file)])),
        'Next: put operator-identity.seed back into its safe; copy the files; start all NATS servers, then the masters\n',
      ].join('\n'),
    );
    return 0;
  },
};

/** Of any other deployment nobody here knows whether it runs; of a local fleet its file tells. */
function mustBeDown(authDir: string): void {
  const dir = dirname(resolve(authDir));
  if (readFleetFile(dir)?.authDir === resolve(authDir)) throw zesterError('CLI_FLEET_UP', { dir });
}

function forWhom(file: string): string {
  if (file === 'resolver-preload.conf') return 'for every NATS server';
  if (file.endsWith('.jwt')) return 'for every NATS server that has it, and for every master';
  return 'for every master';
}
