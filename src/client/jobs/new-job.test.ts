import { expect, it } from 'vitest';
import { defaultTimeoutMs } from './new-job.ts';

it.each([
  ['test.ping', '', 1],
  ['file.managed', '/etc/motd', 1],
  ['state.show_sls', 'web', 1],
  ['state.show_highstate', '', 1],
  ['state.apply', 'web', 5],
  ['state.sls', 'web', 5],
  ['state.single', 'file.touch', 5],
  ['state.revert', 'web', 5],
  ['state.apply', '', 10],
  ['state.highstate', '', 10],
])('%s %s has %d minutes by default', (functionName, id, minutes) => {
  expect(defaultTimeoutMs({ functionName, id })).toBe(minutes * 60_000);
});
