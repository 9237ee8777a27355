/** `parseProcStat` reads what /proc/<pid>/stat of Linux says about a process. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot; the same pid with another start is another process. */
  readonly start: string;
}

/** Undefined for a process that has ended and only waits to be collected. */
export function parseProcStat(text: string): SeenProcess | undefined {
  // The name stands in parentheses and may hold anything, parentheses and blanks too.
  const [state, parent, group, session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = rest[15];
  if (state === 'Z' || state === 'X' || start === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start,
  };
}
