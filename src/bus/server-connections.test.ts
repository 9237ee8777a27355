import { describe, expect, it } from 'vitest';
import { connectionsIn } from './server-connections.ts';

const claims = Buffer.from(JSON.stringify({ name: 'web-01' })).toString('base64url');
const told = {
  data: {
    server_id: 'N1',
    now: '2026-11-18T08:00:02Z',
    total: 7,
    connections: [
      { cid: 3, start: '2026-11-18T08:00:00Z', in_msgs: 5, out_msgs: 4, in_bytes: 6, pending_bytes: 1 },
      { cid: 4, authorized_user: 'U1', jwt: `x.${claims}.y` },
      { cid: 5, authorized_user: 'U1', jwt: 'nonsense' },
    ],
  },
};

describe('connectionsIn', () => {
  it('reads what a server counts, and who a user is where it says so', () => {
    const [server] = connectionsIn(JSON.stringify(told));
    expect(server).toMatchObject({ server: 'N1', total: 7 });
    expect(server?.connections).toMatchObject([
      { cid: 3, ageMs: 2_000, inMsgs: 5, outMsgs: 4, inBytes: 6, pendingBytes: 1, user: undefined },
      { cid: 4, ageMs: Number.POSITIVE_INFINITY, inMsgs: 0, user: { publicKey: 'U1', peel: 'web-01' } },
      { cid: 5, user: undefined },
    ]);
  });

  it.each(['', 'nonsense', 'null', '[]', '{"data":{}}', '{"data":{"server_id":"N1"}}'])(
    'takes %j for no answer',
    (text) => {
      expect(connectionsIn(text)).toEqual([]);
    },
  );
});
