/**
 * `pacedRequests` keeps the questions of a peel to the honest pace (core/guard/honest-pace.ts): what it sends and waits for an answer to
 * goes out in its order, and waits here while there is more of it than the pace allows. So a peel is never taken for a flooder,
 * and a spool or a large tree does not take the line from everything else.
 *
 * The time limit of a question begins when it is sent. Who is cut off meanwhile is told when its turn comes. Bound: whoever asks
 * has few questions under way; that many wait here.
 */
import { HONEST_BYTES, HONEST_MESSAGES, Pace } from '../core/guard/honest-pace.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import { headerBytes } from './header-block.ts';
import type { Requests } from './requests.ts';

export function pacedRequests(requests: Requests, clock: Clock): Requests {
  const messages = new Pace(HONEST_MESSAGES);
  const bytes = new Pace(HONEST_BYTES);
  return {
    ...requests,
    async ask(subject, data, options) {
      const nowMs = clock.monotonicMs();
      const size = data.length + headerBytes(options.headers);
      const waitMs = Math.max(messages.waitMs(1, nowMs), bytes.waitMs(size, nowMs));
      if (waitMs > 0) await sleep(clock, waitMs);
      return requests.ask(subject, data, options);
    },
  };
}
