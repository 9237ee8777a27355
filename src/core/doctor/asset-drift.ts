/**
 * This check of `zester doctor` judges whether buckets, streams and object stores are there and as declared (decision
 * 23d).
 */
import { count, fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface DriftFacts {
  readonly assets: readonly {
    readonly asset: string;
    /** Settings that are not as declared; undefined when the asset is not there. */
    readonly drift: readonly string[] | undefined;
  }[];
  readonly mastersAlive: number;
}

/** With it on, whoever may write one key may empty the whole bucket. */
const ROLL_UP = 'allow_rollup_hdrs';

export function judgeDrift({ assets, mastersAlive }: DriftFacts): Judgement {
  const fix =
    mastersAlive === 0
      ? 'start a master: it makes and corrects every asset'
      : 'masters correct it within a minute; if it comes back, find the other program that changes it and see the masters’ logs';
  const absent = assets.filter(({ drift }) => drift === undefined);
  if (absent.length > 0)
    return fail(
      `${count(absent.length, 'asset')} missing: ${nameSome(absent.map(({ asset }) => asset))}`,
      fix,
    );
  const drifted = assets.filter(({ drift }) => (drift ?? []).length > 0);
  const texts = drifted.map(({ asset, drift }) => `${asset} (${drift?.join(', ')})`);
  if (drifted.some(({ drift }) => drift?.includes(ROLL_UP)))
    return fail(`unsafe settings: ${nameSome(texts)}; a peel could empty a bucket`, fix);
  if (drifted.length > 0) return warn(`not as declared: ${nameSome(texts)}`, fix);
  return ok(`${count(assets.length, 'asset')} as declared`);
}
