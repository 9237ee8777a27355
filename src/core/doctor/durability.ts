/** This check of `zester doctor` says in one line what an acknowledged write survives on this cluster (decision 40). */
import { formatDuration } from '../duration.ts';
import { type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export interface DurabilityFacts {
  /** How each server syncs its files; a text says why it could not be learned. */
  readonly sync: readonly ServerSync[] | { readonly notKnown: string };
  /** The fewest copies that any critical asset has; undefined when none is there yet. */
  readonly copies: number | undefined;
}

export interface ServerSync {
  readonly name: string;
  /** Each write is on disk before it is acknowledged. */
  readonly always: boolean;
  readonly intervalMs: number;
}

const SET_ALWAYS = 'set `sync_interval: always` in the jetstream block of every server, one after the other';
const HOW_TO_LEARN =
  'look for `sync_interval` in the jetstream block of each server’s configuration (the default is 2m), or run doctor where sys.creds is in the auth directory';

export function judgeDurability({ sync, copies }: DurabilityFacts): Judgement {
  const loss = lossesSurvived(copies);
  if ('notKnown' in sync)
    return unknown(
      `an acknowledged write survives a killed server${loss}; a power cut: ${sync.notKnown}`,
      HOW_TO_LEARN,
    );
  const late = sync.filter(({ always }) => !always);
  if (late.length === 0)
    return ok(`an acknowledged write is on disk: it survives a killed server and a power cut${loss}`);
  const longestMs = Math.max(...late.map(({ intervalMs }) => intervalMs));
  return warn(
    `an acknowledged write survives a killed server${loss}, but a power cut or a crash of the machine may take the last ${formatDuration(longestMs)} (${nameSome(late.map(({ name }) => name))})`,
    SET_ALWAYS,
  );
}

/** A majority of the copies must live. */
function lossesSurvived(copies: number | undefined): string {
  if (copies === undefined) return '';
  const losses = Math.floor((copies - 1) / 2);
  if (losses === 0)
    return copies === 1 ? ', not the loss of its disk (1 copy)' : ` (${copies} copies, both needed)`;
  return `, and the loss of ${losses} of ${copies} servers`;
}
