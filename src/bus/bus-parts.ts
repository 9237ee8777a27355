/** Bus parts are what the parts of one bus share. */
import type { Runtime } from '../runtime/runtime.ts';
import type { Connection } from './connection.ts';
import type { JetStreamApi } from './jetstream-api.ts';
import type { Requests } from './requests.ts';

export interface BusParts {
  readonly connection: Connection;
  readonly requests: Requests;
  readonly api: JetStreamApi;
  readonly runtime: Runtime;
  /** How often a watch looks for itself, hints or none (decision 23c: masters 1–2 s, peels 60 s). */
  readonly resyncMs: number;
}
