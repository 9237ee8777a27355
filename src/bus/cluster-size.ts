/**
 * How many servers JetStream counts with, those that are away included; 1 without a cluster. Asked in the system account:
 * no other knows, and the addresses that servers tell their clients are more than the servers where one has several.
 */
import type { Clock } from '../runtime/clock.ts';
import { SERVER_SETTINGS_SUBJECT } from '../wire/jetstream.ts';
import { collectAnswers } from './collect-answers.ts';
import type { Connection } from './connection.ts';

const ANSWER_MS_MAX = 3_000;

interface ServerSettings {
  readonly data?: { readonly jetstream?: { readonly meta?: { readonly cluster_size?: unknown } } };
}

/** Undefined when nobody says so. Rejects with BUS_DENIED when the credentials may not ask. */
export async function readClusterSize(connection: Connection, clock: Clock): Promise<number | undefined> {
  // They all say the same; the first will do.
  const options = { quietMs: ANSWER_MS_MAX, msMax: ANSWER_MS_MAX, answersMax: 1 };
  const [answer] = await collectAnswers(connection, clock, SERVER_SETTINGS_SUBJECT, options);
  if (answer === undefined) return undefined;
  const { data } = JSON.parse(Buffer.from(answer.message.data).toString('utf8')) as ServerSettings;
  const size = Number(data?.jetstream?.meta?.cluster_size ?? 1);
  return Number.isSafeInteger(size) && size > 0 ? size : undefined;
}
