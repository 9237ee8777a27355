/** `payloadLimit` tells how large a message may be, for whoever makes one that can grow. */
import type { Bus } from '../../bus/port.ts';

/** Of a server that has not told yet: what nats-server takes unless it is configured otherwise. */
const PAYLOAD_BYTES_DEFAULT = 1_048_576;

/** The largest message that the server takes, headers included. */
export function payloadLimit(bus: Pick<Bus, 'server'>): number {
  return bus.server()?.payloadBytesMax ?? PAYLOAD_BYTES_DEFAULT;
}
