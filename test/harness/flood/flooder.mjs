/**
 * The flooder is a program that misuses one peel's credentials: it sends as much as the line takes, of one kind, until it is ended
 * or its time is over. A process of its own, so that what it burns is not burnt by the masters and peels of the test.
 *
 * Told on the command line, as JSON (`FloodOrder` in flood-world.ts); prints how much it sent, once a second and at its end, as JSON lines.
 */
import { readFileSync } from 'node:fs';
import { connect, credsAuthenticator } from '@nats-io/transport-node';

const order = JSON.parse(process.argv[2] ?? '{}');
const BATCH = 256;
const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const KSUID = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
let count = 0;

/** Another one every time: a KSUID-shaped word. */
function fresh() {
  let n = ++count;
  let text = '';
  for (let i = 0; i < 27; i++) {
    text = KSUID[n % 62] + text;
    n = Math.floor(n / 62);
  }
  return `2${text.slice(1)}`;
}

async function open() {
  return connect({
    servers: order.url,
    tls: { caFile: order.caFile },
    authenticator: credsAuthenticator(readFileSync(order.credsFile)),
    inboxPrefix: order.inboxPrefix,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ignoreAuthErrorAbort: true,
    timeout: 20_000,
  });
}

async function flood(given, untilMs) {
  const sinceMs = Date.now();
  let [connection, lived, ofThis] = [given, 0, 0];
  const payload = Buffer.alloc(order.bytes);
  const [head, tail] = order.subject.split('*');
  while (Date.now() < untilMs && !connection.isClosed()) {
    for (let i = 0; i < (payload.length > 10_000 ? 8 : BATCH); i++) {
      const subject = tail === undefined ? order.subject : head + fresh() + tail;
      connection.publish(subject, payload, order.reply === undefined ? {} : { reply: order.reply });
      sent += 1;
      lived += 1;
      ofThis += 1;
    }
    await connection.flush();
    const aheadMs = (ofThis * 1_000) / order.perSecond - (Date.now() - sinceMs);
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    if (lived >= order.messagesPerLife) {
      await connection.close();
      connection = await open();
      lived = 0;
    }
  }
}

let sent = 0;
const untilMs = Date.now() + order.seconds * 1_000;
const ticker = setInterval(() => tell({ sent }), 1_000);
process.on('uncaughtException', (error) => tell({ error: String(error) }));
// Whoever started it is gone.
process.stdout.on('error', () => process.exit(1));
const connections = [];
// Cut off, it waits for ever for an answer or for a connection.
setTimeout(
  () => {
    tell({ sent, ended: true });
    process.exit(0);
  },
  untilMs - Date.now() + 500,
);
// Where connections are the flood it has begun with the first; those that are refused do not end it.
if (order.subject === '') {
  tell({ begun: true });
  for (let i = 0; i < order.connections; i += 20)
    sent += (await Promise.allSettled(Array.from({ length: 20 }, open))).filter(
      ({ status }) => status === 'fulfilled',
    ).length;
  await new Promise(() => undefined);
}
try {
  for (let i = 0; i < order.connections; i += 20)
    connections.push(
      ...(await Promise.all(Array.from({ length: Math.min(20, order.connections - i) }, open))),
    );
  tell({ begun: true, connections: connections.length });
  if (order.unread === true)
    // What it asks for it does not take from the line.
    for (const connection of connections) {
      connection.subscribe(`${order.inboxPrefix}.>`, { callback: () => undefined });
      connection.protocol.transport.socket.pause();
    }
  for (const connection of connections)
    for (let i = 0; i < order.echoes; i++)
      connection.subscribe(`${order.inboxPrefix}.>`, { callback: () => undefined });
  await Promise.all(connections.map((connection) => flood(connection, untilMs)));
  tell({ sent, ended: true });
} catch (error) {
  tell({ sent, error: String(error) });
}
clearInterval(ticker);
process.exit(0);
