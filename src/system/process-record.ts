/**
 * What a file says of a program that we started, for the process that comes after us if we are killed (processes.ts): the
 * boot of the machine, pid and start time. A number that was given out again is told from ours by its start time.
 *
 * It is written before the program does anything. It is not synced: a machine that loses power loses the program too.
 */
export interface ProcessRecord {
  readonly boot: string;
  readonly pid: number;
  /** In ticks of the machine since its boot; with the pid, unlike any other process of this boot. */
  readonly start: string;
}

export function processRecordLine({ boot, pid, start }: ProcessRecord): string {
  return `${boot} ${pid} ${start}\n`;
}

/** Undefined: it is not whole, so we were killed while we wrote it, and the program did nothing. */
export function readProcessRecord(bytes: Uint8Array): ProcessRecord | undefined {
  const found = /^(\S+) ([1-9]\d{0,9}) (\d+)\n$/.exec(Buffer.from(bytes).toString('latin1'));
  const [, boot, pid, start] = found ?? [];
  if (boot === undefined || pid === undefined || start === undefined) return undefined;
  return { boot, pid: Number(pid), start };
}
