/** These functions compare mode and owner of what is there with what was declared. What was not declared stays. */
import type { Accounts } from '../../system/accounts.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { FileOwner, FileStat } from '../../system/files.ts';
import type { FileChange } from './change.ts';

export interface Facets {
  readonly mode: number | undefined;
  readonly owner: FileOwner;
}

export async function facetChange(
  path: string,
  there: FileStat,
  wanted: Facets,
  names: AccountNames,
): Promise<FileChange> {
  const words = await facetWords(there, wanted, names);
  const chowns = isOther(there.uid, wanted.owner.uid) || isOther(there.gid, wanted.owner.gid);
  const mode = wanted.mode ?? there.mode;
  // The kernel clears set-uid bits of what gets another owner: they are set again.
  const chmods = isOther(there.mode, wanted.mode) || (chowns && (mode & SET_ID_BITS) !== 0);
  const steps: FileStep[] = [];
  if (chowns) steps.push({ kind: 'chown', path, owner: wanted.owner });
  if (chmods && there.kind !== 'symlink') steps.push({ kind: 'chmod', path, mode });
  return { steps, words };
}

const SET_ID_BITS = 0o6000;

/** One line for each facet that differs: `mode 0600 → 0644`. */
export async function facetWords(
  there: FileStat,
  { mode, owner }: Facets,
  names: AccountNames,
): Promise<readonly string[]> {
  const words: string[] = [];
  if (isOther(there.uid, owner.uid))
    words.push(`owner ${await names.user(there.uid)} → ${await names.user(owner.uid)}`);
  if (isOther(there.gid, owner.gid))
    words.push(`group ${await names.group(there.gid)} → ${await names.group(owner.gid)}`);
  if (isOther(there.mode, mode)) words.push(`mode ${modeText(there.mode)} → ${modeText(mode)}`);
  return words;
}

/** What is new, in one line: `new file, mode 0644, owner www`. */
export async function newWords(
  what: string,
  mode: number,
  { uid, gid }: FileOwner,
  names: AccountNames,
): Promise<string> {
  const owner = uid === undefined ? '' : `, owner ${await names.user(uid)}`;
  const group = gid === undefined ? '' : `, group ${await names.group(gid)}`;
  return `new ${what}, mode ${modeText(mode)}${owner}${group}`;
}

function isOther(is: number, wanted: number | undefined): wanted is number {
  return wanted !== undefined && wanted !== is;
}

export function modeText(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

export interface AccountNames {
  /** The name, or the number where nobody has it. */
  user(uid: number): Promise<string>;
  group(gid: number): Promise<string>;
}

/** Caches names for the time of one plan: most files of a tree have the same owner. */
export function accountNames(accounts: Accounts): AccountNames {
  const users = new Map<number, string>();
  const groups = new Map<number, string>();
  return {
    user: (uid) => remembered(users, uid, async () => (await accounts.user(uid))?.name),
    group: (gid) => remembered(groups, gid, async () => (await accounts.group(gid))?.name),
  };
}

async function remembered(
  known: Map<number, string>,
  id: number,
  ask: () => Promise<string | undefined>,
): Promise<string> {
  const name = known.get(id) ?? (await ask()) ?? String(id);
  known.set(id, name);
  return name;
}
