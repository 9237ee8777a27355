/**
 * This file writes results to stdout. A reader that has seen enough (`| head`) is no error, and no reason to leave a
 * job or a fleet: what is written then goes nowhere. A disk that is full is one, told once at the end.
 */
import { zesterError } from '../../core/errors/zester-error.ts';

export interface ProgramOutput {
  write(text: string): void;
  /** Resolves when everything is written. Throws CLI_OUTPUT when something could not be. */
  finish(): Promise<void>;
}

export function programOutput(stream: NodeJS.WritableStream): ProgramOutput {
  let failure: NodeJS.ErrnoException | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  return {
    write(text) {
      stream.write(text);
    },
    async finish() {
      // Its callback comes behind all writes before it, and behind their errors.
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      if (failure !== undefined) throw zesterError('CLI_OUTPUT', {}, { cause: failure });
    },
  };
}
