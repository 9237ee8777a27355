/**
 * A process record is a file about a program that we started, for the process that comes after us if we are killed
 * (processes.ts): the boot of the machine, pid and start time, and how many processes the machine had started by then.
 * A number that was given out again is told from ours by its start time, as long as the program is there. When only its
 * process group is left, the count tells: numbers are given out in turn, so not again before about as many have been
 * started as there are numbers.
 *
 * It is written before the program does anything. It is not synced: a machine that loses power loses the program too.
 */
export interface ProcessRecord {
  readonly boot: string;
  readonly pid: number;
  /** Processes and threads that the machine had started since its boot. */
  readonly forks: number;
  /** In ticks of the machine since its boot; with the pid, unlike any other process of this boot. */
  readonly start: string;
}

export function processRecordLine({ boot, pid, forks, start }: ProcessRecord): string {
  return `${boot} ${pid} ${forks} ${start}\n`;
}

/** Undefined: it is not whole, so we were killed while we wrote it, and the program did nothing. */
export function readProcessRecord(bytes: Uint8Array): ProcessRecord | undefined {
  const found = /^(\S+) ([1-9]\d{0,9}) (\d{1,15}) (\d+)\n$/.exec(Buffer.from(bytes).toString('latin1'));
  const [, boot, pid, forks, start] = found ?? [];
  if (boot === undefined || pid === undefined || forks === undefined || start === undefined) return undefined;
  return { boot, pid: Number(pid), forks: Number(forks), start };
}

/** Whether no other process can have got the number since. Half of the numbers, as those in use are left out of the turn. */
export function isNumberStillOurs({ forks }: ProcessRecord, forksNow: number, pidsMax: number): boolean {
  return forksNow - forks < pidsMax / 2;
}
