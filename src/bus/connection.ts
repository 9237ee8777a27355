/**
 * A connection is the seam under the bus: it carries plain NATS messages. Two things stand behind it, a real connection
 * (nats/) and a memory server (memory/), and everything above it (key-value, streams, watches, leases) is the same code
 * on both. So the simulator runs the code that production runs.
 */
import type {
  ConnectionStatus,
  Headers,
  PublishOptions,
  ServerFacts,
  SubjectSubscription,
  Subscription,
} from './port.ts';

export interface RawMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly reply: string | undefined;
  readonly headers: Headers;
  /** Set on messages that the server itself made: 503 no responders, 404 no message, 100 heartbeat … */
  readonly status: number | undefined;
  readonly statusText: string;
}

export interface Denial {
  readonly operation: 'publish' | 'subscription';
  readonly subject: string;
}

export interface Connection {
  /** The subject prefix under which only this connection may listen; has a part nobody can guess. */
  readonly inbox: string;
  status(): ConnectionStatus;
  onStatus(listener: (status: ConnectionStatus) => void): Subscription;
  /** The server refused a publish or a subscription. */
  onDenied(listener: (denial: Denial) => void): Subscription;
  server(): ServerFacts | undefined;
  /** Why the last try to connect failed, or why the connection was given up. */
  failure(): Error | undefined;
  /** Throws BUS_DISCONNECTED (nothing was sent), BUS_TOO_LARGE or BUS_BAD_SUBJECT. */
  publish(subject: string, data: Uint8Array, options?: PublishOptions): void;
  subscribe(
    subject: string,
    queue: string | undefined,
    deliver: (message: RawMessage) => void,
  ): SubjectSubscription;
  /** Resolves when the server has seen everything sent before; rejects with BUS_DISCONNECTED. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What went over a connection since its start, over all reconnects. Bytes are those of payloads and headers. */
export interface Traffic {
  readonly messagesIn: number;
  readonly bytesIn: number;
  readonly messagesOut: number;
  readonly bytesOut: number;
}

export const NO_HEADERS: Headers = new Map();
export const NO_BYTES: Uint8Array = new Uint8Array(0);
