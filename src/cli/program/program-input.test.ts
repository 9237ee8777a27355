import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { programInput } from './program-input.ts';

type Stream = Parameters<typeof programInput>[0];

function piped(...chunks: readonly Uint8Array[]): Stream {
  return Readable.from(chunks) as unknown as Stream;
}

/** A terminal: what is typed comes in the pieces in which a person types it. */
function terminal() {
  const emitter = new EventEmitter();
  const modes: boolean[] = [];
  const said: string[] = [];
  let interruptions = 0;
  const stream = Object.assign(emitter, {
    isTTY: true,
    pause: () => stream,
    resume: () => stream,
    setRawMode: (mode: boolean) => {
      modes.push(mode);
      return stream;
    },
  }) as unknown as Stream;
  const input = programInput(
    stream,
    (text) => said.push(text),
    () => {
      interruptions += 1;
    },
  );
  const type = (...pieces: readonly string[]) => {
    for (const piece of pieces) emitter.emit('data', Buffer.from(piece));
  };
  const typeBytes = (...bytes: readonly number[]) => {
    for (const byte of bytes) emitter.emit('data', Uint8Array.of(byte));
  };
  return { input, type, typeBytes, modes, said, interruptions: () => interruptions };
}

describe('a text that is piped', () => {
  it('is all of it, also where a piece ends inside of a letter', async () => {
    const bytes = Buffer.from('pässword\nof two lines\n');
    const input = programInput(
      piped(bytes.subarray(0, 2), bytes.subarray(2)),
      () => {},
      () => {},
    );
    expect(await input.text(100)).toBe('pässword\nof two lines\n');
    expect(input.isTerminal).toBe(false);
  });

  it('is refused when it is too long, or no text, without a word of it', async () => {
    const long = programInput(
      piped(Buffer.from('hunter22')),
      () => {},
      () => {},
    ).text(4);
    await expect(long).rejects.toMatchObject({
      code: 'SECRET_NO_VALUE',
      message: expect.not.stringContaining('hunter'),
    });
    const binary = programInput(
      piped(Uint8Array.of(0xff, 0xfe)),
      () => {},
      () => {},
    ).text(4);
    await expect(binary).rejects.toMatchObject({ code: 'SECRET_NO_VALUE' });
  });
});

describe('a line that is typed', () => {
  it('is not shown, and the terminal is as before afterwards', async () => {
    const { input, type, modes, said } = terminal();
    const line = input.hiddenLine('Value: ');
    type('hu', 'n', 'ter22', '\r');
    expect(await line).toBe('hunter22');
    expect(modes).toEqual([true, false]);
    expect(said).toEqual(['Value: ', '\n']);
  });

  it.each<[readonly string[], string]>([
    [['abd', '\u007f', 'c\n'], 'abc'],
    [['\b\b', 'a\u{1f511}', '\u007f', 'b', '\r'], 'ab'],
    [['ab', '\u001b[A', 'c', '\t', '\u0004'], 'abc'],
    [['\n'], ''],
  ])('%j is %j', async (pieces, text) => {
    const { input, type } = terminal();
    const line = input.hiddenLine('');
    type(...pieces);
    expect(await line).toBe(text);
  });

  it('may come in halves of letters', async () => {
    const { input, typeBytes } = terminal();
    const line = input.hiddenLine('');
    typeBytes(...Buffer.from('pä漢\r'));
    expect(await line).toBe('pä漢');
  });

  it('ends with Ctrl-C, as everything does', async () => {
    const { input, type, modes, interruptions } = terminal();
    const line = input.hiddenLine('');
    type('hunter22', '\u0003');
    await expect(line).rejects.toMatchObject({
      code: 'CLI_INTERRUPTED',
      message: expect.not.stringContaining('hunter'),
    });
    expect([interruptions(), modes]).toEqual([1, [true, false]]);
  });
});
