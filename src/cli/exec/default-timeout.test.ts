import { expect, it } from 'vitest';
import { formatDuration } from '../../core/duration.ts';
import { defaultTimeoutMs } from './default-timeout.ts';
import { execCommand } from './exec-command.ts';

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
])('%s %s has %d minutes', (functionName, id, minutes) => {
  expect(defaultTimeoutMs(functionName, id)).toBe(minutes * 60_000);
});

it('the help of --timeout names each of them', () => {
  const { doc = '' } = execCommand.options.find(({ name }) => name === 'timeout') ?? {};
  for (const words of [['test.ping'], ['state.apply', 'web'], ['state.apply']]) {
    const [functionName = '', id = ''] = words;
    expect(doc).toContain(formatDuration(defaultTimeoutMs(functionName, id)));
  }
});
