import { isZesterError } from '../core/errors/zester-error.ts';

/**
 * `unlessMissing` gives what a bucket or stream has; `nothing` when it was never made, as before the first master of a
 * deployment.
 */
export async function unlessMissing<T, N>(reading: Promise<T>, nothing: N): Promise<T | N> {
  try {
    return await reading;
  } catch (error) {
    if (isZesterError(error, 'BUS_STORE_MISSING')) return nothing;
    throw error;
  }
}
