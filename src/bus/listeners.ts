/** `addListener` adds a listener to a set and gives the subscription that takes it out again. */
import type { Subscription } from './port.ts';

export function addListener<T>(listeners: Set<T>, listener: T): Subscription {
  listeners.add(listener);
  return { unsubscribe: () => void listeners.delete(listener) };
}
