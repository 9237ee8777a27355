/** `joinCommand` is `zester-peel join` as people use it: progress on stderr, the result on stdout, Ctrl-C at any time. */
import { isZesterError } from '../../core/errors/zester-error.ts';
import { shellWord } from '../../core/shell-word.ts';
import { timeText } from '../../core/time-text.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { TextFiles } from '../facts/machine-text.ts';
import { type JoinReport, joinMachine } from './join-machine.ts';
import { JOIN_HELP, type JoinOptions, parseJoinOptions } from './join-options.ts';

export interface JoinPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: TextFiles;
  readonly signal: AbortSignal;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly resolvePath: (path: string) => string;
}

const EXIT_INTERRUPTED = 130;

export async function joinCommand(words: readonly string[], ports: JoinPorts): Promise<number> {
  const command = parseJoinOptions(words);
  const { clock, random, files, signal, out, err, resolvePath } = ports;
  if ('show' in command) {
    out(JOIN_HELP);
    return 0;
  }
  const options = { ...command.join, authDir: resolvePath(command.join.authDir) };
  try {
    const line = { clock, random, signal, say: (text: string) => err(`${text}\n`) };
    out(joinedText(await joinMachine(options, files, line), options, resolvePath));
    return 0;
  } catch (error) {
    if (isZesterError(error) || !signal.aborted) throw error;
    err('interrupted; the same command goes on where this one was\n');
    return EXIT_INTERRUPTED;
  }
}

function joinedText(
  report: JoinReport,
  { place }: JoinOptions,
  resolvePath: JoinPorts['resolvePath'],
): string {
  const { peelId, enrollmentId, unchanged, credsFile, expiresAtMs, natsUrls } = report;
  const until = expiresAtMs === undefined ? '' : `, good until ${timeText(nanosFromMs(expiresAtMs))}`;
  const where = place.map(([option, path]) => ` --${option} ${shellWord(resolvePath(path))}`).join('');
  const servers = natsUrls.length === 0 ? 'none named by the masters: give --nats-url' : natsUrls.join(', ');
  return [
    `${unchanged ? 'has joined already' : 'joined'} as ${peelId} (${enrollmentId})`,
    `  credentials: ${credsFile}${until}; renewed by the peel itself`,
    `  NATS servers: ${servers}`,
    `  next: \`zester-peel install${where}\` writes a systemd unit; \`zester-peel${where}\` runs it here`,
    '',
  ].join('\n');
}
