import { describe, expect, it } from 'vitest';
import type { ConnectionStatus } from '../bus/port.ts';
import { Metrics } from './metrics.ts';
import { natsMetrics } from './nats-metrics.ts';

describe('natsMetrics', () => {
  it('does not take the first connect for a reconnect, and shows the traffic', () => {
    let tell: (status: ConnectionStatus) => void = () => undefined;
    const metrics = new Metrics();
    natsMetrics(metrics, {
      status: () => 'connecting',
      onStatus: (listener) => {
        tell = listener;
        return { unsubscribe: () => undefined };
      },
      traffic: () => ({ messagesIn: 1, bytesIn: 2, messagesOut: 3, bytesOut: 4 }),
    });
    for (const status of ['connected', 'disconnected', 'connected', 'disconnected', 'closed'] as const)
      tell(status);
    const values = metrics.families().map(({ name, samples }) => [name, samples[0]?.value]);
    expect(Object.fromEntries(values)).toEqual({
      zester_nats_reconnects_total: 1,
      zester_nats_disconnects_total: 2,
      zester_nats_msgs_published_total: 3,
      zester_nats_bytes_published_total: 4,
      zester_nats_msgs_received_total: 1,
      zester_nats_bytes_received_total: 2,
    });
  });
});
