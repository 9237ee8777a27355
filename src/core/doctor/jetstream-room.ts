/** This check of `zester doctor` judges whether JetStream has room for what the fleet writes. */
import { bytesText } from './bytes-text.ts';
import { fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface RoomFacts {
  /** Of the account. */
  readonly usedBytes: number;
  /** Limits that bind: of the account, and of each server that told; none where there is no limit. */
  readonly limits: readonly {
    readonly name: string;
    readonly usedBytes: number;
    readonly maxBytes: number;
  }[];
}

const WARN_SHARE = 0.8;
const FAIL_SHARE = 0.95;
const FIX = 'give JetStream more room (`max_file_store`, or the limits of the account), or a larger disk';

export function judgeRoom({ usedBytes, limits }: RoomFacts): Judgement {
  const share = ({ usedBytes: used, maxBytes }: RoomFacts['limits'][number]) => used / maxBytes;
  const text = nameSome(
    limits
      .filter((limit) => share(limit) >= WARN_SHARE)
      .map((limit) => `${limit.name} is ${Math.floor(share(limit) * 100)} % full`),
  );
  if (limits.some((limit) => share(limit) >= FAIL_SHARE))
    return fail(`${text}; writes are about to be refused`, FIX);
  if (text !== '') return warn(text, FIX);
  return ok(`answers; ${bytesText(usedBytes)} stored`);
}
