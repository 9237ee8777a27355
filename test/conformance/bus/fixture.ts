/** A bus fixture is what a bus adapter must offer to be put through the conformance suite. */
import type { Connection } from '../../../src/bus/connection.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';

export interface BusFixture {
  /** A bus with a master's rights, connected; on a connection that a test may stand before. */
  master(wrap?: (connection: Connection) => Connection): Promise<Bus>;
  /** A peel's bus, connected. */
  peel(id: string): Promise<AgentBus>;
  /** As kill -9: the server is gone at once. */
  killServer(): Promise<void>;
  startServer(): Promise<void>;
  /** From now on refusals by the server are part of the test. */
  expectDenials(): void;
  close(): Promise<void>;
}

export type MakeFixture = () => Promise<BusFixture>;

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (data: Uint8Array): string => new TextDecoder().decode(data);

let counter = 0;
/** A name that no other test of this process uses. */
export const unique = (stem: string): string => `${stem}-${process.pid}-${counter++}`;
