/**
 * An AbortController for whatever lives long or does much at once: any number of waits may hang on its signal. Node
 * takes more than ten listeners of one signal for a leak and prints a warning, which here would be wrong.
 */
import { setMaxListeners } from 'node:events';

export function stopSource(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
