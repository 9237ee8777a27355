/** This check of `zester doctor` judges whether the peels have the files and secrets that are published. */
import type { PeelFilesState } from '../files/peel-files.ts';
import { count, fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface FilesMirroredFacts {
  readonly peels: readonly {
    readonly name: string;
    readonly state: PeelFilesState;
    /** Its own words; empty when it has none. */
    readonly problem: string;
  }[];
  /** How long ago something was published last; undefined when nothing ever was. */
  readonly publishedAgoMs: number | undefined;
}

/** A peel fetches within a second, one of a very large fleet within a minute. */
const BEHIND_MS = 60_000;

export function judgeFilesMirrored({ peels, publishedAgoMs }: FilesMirroredFacts): Judgement {
  const online = peels.filter(({ state }) => state !== 'offline');
  const stuck = online.filter(({ state }) => state === 'problem');
  const [first] = stuck;
  if (first !== undefined)
    return fail(
      `${count(stuck.length, 'peel')} cannot use what is published: ${nameSome(stuck.map(({ name }) => name))}; ${first.name}: ${first.problem}`,
      'where it is about a file, edit that; where it is about a machine, see its log. `zester files status` has the words of each',
    );
  if (publishedAgoMs === undefined) return ok('nothing is published');
  const behind = online.filter(({ state }) => state === 'behind').map(({ name }) => name);
  if (behind.length > 0 && publishedAgoMs > BEHIND_MS)
    return warn(
      `${count(behind.length, 'peel')} without the newest files or secrets, and without a word why: ${nameSome(behind)}`,
      'see whether these peels are of this version, and their logs',
    );
  const late = behind.length === 0 ? '' : `, ${behind.length} fetching`;
  return ok(`${count(online.length - behind.length, 'peel')} up to date${late}`);
}
