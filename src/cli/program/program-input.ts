/**
 * This file reads what a person or another program hands in: a text by a pipe, or a line that is typed, shown or not. A
 * secret comes in here and nowhere else: words of a command are seen by everybody on the machine.
 */
import { zesterError } from '../../core/errors/zester-error.ts';

export interface ProgramInput {
  /** Whether somebody types there. */
  readonly isTerminal: boolean;
  /** All of it. Throws SECRET_NO_VALUE when it is longer than `bytesMax`, or no text. */
  text(bytesMax: number): Promise<string>;
  /** What is typed up to the end of the line; nothing of it is shown. Ctrl-C ends it as everywhere. */
  hiddenLine(prompt: string): Promise<string>;
  /** The same with what is typed in sight. */
  shownLine(prompt: string): Promise<string>;
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ESCAPE = '\u001b';
const ERASE: readonly string[] = ['\u007f', '\b'];

type InputStream = Pick<NodeJS.ReadStream, 'on' | 'off' | 'pause' | 'resume' | 'isTTY'> &
  Partial<Pick<NodeJS.ReadStream, 'setRawMode'>> &
  AsyncIterable<unknown>;

/** `interrupt` is what Ctrl-C does elsewhere: while a line is hidden, the terminal does not do it by itself. */
export function programInput(
  stream: InputStream,
  say: (text: string) => void,
  interrupt: () => void,
): ProgramInput {
  return {
    isTerminal: stream.isTTY === true,
    async text(bytesMax) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stream) {
        const part = Buffer.from(chunk as Uint8Array);
        bytes += part.length;
        if (bytes > bytesMax)
          throw zesterError('SECRET_NO_VALUE', { problem: `it is longer than ${bytesMax} bytes` });
        chunks.push(part);
      }
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
      } catch {
        throw zesterError('SECRET_NO_VALUE', { problem: 'it is not UTF-8 text' });
      }
    },
    hiddenLine: (prompt) => readLine(prompt, () => undefined),
    shownLine: (prompt) => readLine(prompt, say),
  };

  /** `echo`: shows what is typed. */
  function readLine(prompt: string, echo: (text: string) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      let typed: string[] = [];
      const decoder = new TextDecoder();
      const end = (settle: () => void) => {
        stream.off('data', hear);
        stream.setRawMode?.(false);
        stream.pause();
        say('\n');
        settle();
      };
      const hear = (data: unknown) => {
        for (const character of decoder.decode(data as Uint8Array, { stream: true })) {
          if (character === CTRL_C) {
            end(() => reject(zesterError('CLI_INTERRUPTED', INTERRUPTED)));
            interrupt();
            return;
          }
          if (character === '\r' || character === '\n' || character === CTRL_D) {
            end(() => resolve(typed.join('')));
            return;
          }
          // An arrow or a function key: its letters come in one piece, and belong to nothing.
          if (character === ESCAPE) return;
          if (ERASE.includes(character)) {
            if (typed.length > 0) echo('\b \b');
            typed = typed.slice(0, -1);
          } else if (character >= ' ') {
            typed.push(character);
            echo(character);
          }
        }
      };
      say(prompt);
      stream.setRawMode?.(true);
      stream.on('data', hear);
      stream.resume();
    });
  }
}

const INTERRUPTED = {
  what: 'a line to be typed',
  standing: 'nothing was sent',
  next: 'run the command again',
};
