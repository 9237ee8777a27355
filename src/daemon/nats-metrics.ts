/** Counts how the connection to NATS fares, from its status, so that the first connect is not taken for a reconnect. */
import type { Traffic } from '../bus/connection.ts';
import type { ConnectionStatus, Subscription } from '../bus/port.ts';
import type { Metrics } from './metrics.ts';

export interface WatchedConnection {
  status(): ConnectionStatus;
  onStatus(listener: (status: ConnectionStatus) => void): Subscription;
  traffic(): Traffic;
}

/** Counts for as long as the connection lives. */
export function natsMetrics(metrics: Metrics, connection: WatchedConnection): void {
  const reconnects = metrics.counter({
    name: 'zester_nats_reconnects_total',
    help: 'Times the connection to NATS came back.',
  });
  const disconnects = metrics.counter({
    name: 'zester_nats_disconnects_total',
    help: 'Times the connection to NATS was lost.',
  });
  let wasConnected = connection.status() === 'connected';
  connection.onStatus((status) => {
    if (status === 'disconnected') disconnects.add();
    if (status === 'connected' && wasConnected) reconnects.add();
    wasConnected ||= status === 'connected';
  });
  const flows: readonly (readonly [name: string, help: string, key: keyof Traffic])[] = [
    ['zester_nats_msgs_published_total', 'Messages sent to NATS.', 'messagesOut'],
    ['zester_nats_bytes_published_total', 'Bytes sent to NATS.', 'bytesOut'],
    ['zester_nats_msgs_received_total', 'Messages received from NATS.', 'messagesIn'],
    ['zester_nats_bytes_received_total', 'Bytes received from NATS.', 'bytesIn'],
  ];
  for (const [name, help, key] of flows) metrics.total({ name, help }, () => connection.traffic()[key]);
}
