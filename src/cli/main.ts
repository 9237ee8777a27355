/**
 * This is the program `zester`. The commands, and with them NATS and TLS, are loaded only when one is run: what comes
 * before is all that `--version` needs.
 */
import { versionLine } from '../runtime/version.ts';
import { startProgram } from './program/start-program.ts';

startProgram(async (words, program, output) => {
  const [first] = words;
  if (first === '--version' || first === 'version') {
    output.write(`${versionLine('zester')}\n`);
    return 0;
  }
  const { dispatch } = await import('./dispatch.ts');
  return dispatch(words, program, output);
});
