/** `zester down` ends the local fleet of a directory. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { removeFleetFile } from '../../local-fleet/fleet-file.ts';
import {
  endProcesses,
  fleetProcesses,
  namesOf,
  type RunningProcess,
} from '../../local-fleet/fleet-processes.ts';
import type { Command } from '../program/command.ts';
import { FORMAT_OPTION, printRecord } from '../program/common-options.ts';
import { waitsOf } from '../terminal/wait-for.ts';
import { fleetDirOf, inDir } from './up.ts';

export const downCommand: Command = {
  words: ['down'],
  summary: 'stop the local fleet of a directory',
  examples: ['zester down', 'zester down --dir /tmp/fleet'],
  detail: [
    'Ends `zester up`, which stops its processes in order; and what a killed `up` has left running. Which processes those',
    'are is asked of the kernel, before and after: it says stopped when they are gone.',
  ].join('\n'),
  options: [
    { name: 'dir', value: 'DIR', doc: 'directory of the fleet; default $ZESTER_DIR, else .zester' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = fleetDirOf(context, given);
    const before = fleetProcesses(dir);
    const waitFor = waitsOf(context, { isText: given.text('format') !== 'json' });
    const ending = {
      what: `${namesOf(before)} to end`,
      ifLeft: 'those that were asked to end may still do so, the others run on',
      next: `${context.program} down${inDir(context, dir)}`,
    };
    const left = await waitFor(ending, endProcesses(context.runtime.clock, dir));
    if (left.length > 0) throw zesterError('CLI_DOWN_LEFT', { dir, processes: namesOf(left) });
    removeFleetFile(dir);
    const ended = before.map(({ name, pid }) => ({ name, pid }));
    printRecord(context, given, { dir, was_up: before.length > 0, ended }, () => `${said(dir, before)}\n`);
    return 0;
  },
};

function said(dir: string, ended: readonly RunningProcess[]): string {
  if (ended.length === 0) return `No fleet is up in ${dir}`;
  if (ended.some(({ role }) => role === 'up')) return `Stopped the fleet in ${dir}`;
  return `Stopped what a killed \`up\` had left running in ${dir}: ${namesOf(ended)}`;
}
