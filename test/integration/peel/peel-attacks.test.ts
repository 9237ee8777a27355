/**
 * What a hostile peel, root on its machine and with good credentials, can do to the bus: every attack that worked when
 * peels shared an account with JetStream (nats-grants.md, 1.4), tried on a real server and on the memory server.
 *
 * Two of them still reach another *peel*: forged commands and forged cancels arrive. They carry no proof; that a peel
 * refuses them is tested where peels are.
 */
import { connect, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { Connection, RawMessage } from '../../../src/bus/connection.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { ALL_BUCKETS } from '../../../src/wire/names/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS, CONSUMERS } from '../../../src/wire/names/streams.ts';
import { parseJobSubject } from '../../../src/wire/names/subjects.ts';
import { unique } from '../../conformance/bus/fixture.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { SERVERS_UNDER_TEST, type ServerUnderTest } from '../../harness/servers/two-servers.ts';
import { until } from '../../harness/until.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO';
const EVIL = bytes('EVIL');

describe.each(SERVERS_UNDER_TEST)('a hostile peel on %s', (_name, start) => {
  let server: ServerUnderTest;
  let master: Bus;
  let evil: Connection;
  let evilBus: AgentBus;
  let victim: Connection;

  beforeAll(async () => {
    server = await start();
    master = openBus(await server.connect('master', 'master'), testRuntime);
    const specs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
    await ensureAssets(master, specs, 1);
    evil = await server.connect('peel', 'web-01');
    evilBus = openAgentBus(evil, testRuntime);
    victim = await server.connect('peel', 'web-02');
    await master.bucket('secrets').put('web-01', bytes('mine'));
    await master.bucket('secrets').put('web-02', bytes('theirs'));
    await master.bucket('facts').put('web-02', bytes('true facts'));
    await master.bucket('settings-files').put('_revision', bytes('1'));
    await evilBus.bucket('basket').put('web-01.evil', EVIL);
  }, 60_000);
  afterAll(() => server.stop());

  /** Publishes and tells whether the server refused it; the sentinel behind it makes sure that we waited long enough. */
  async function isRefused(subject: string, data = EVIL, reply?: string): Promise<boolean> {
    const refused = new Set<string>();
    const denials = evil.onDenied((denial) => refused.add(denial.subject));
    evil.publish(subject, data, reply === undefined ? {} : { reply });
    evil.publish('nobody.may.this', EVIL);
    await until(() => refused.has('nobody.may.this'), 'the sentinel');
    denials.unsubscribe();
    return refused.has(subject);
  }

  async function isSubscriptionRefused(subject: string, queue?: string): Promise<boolean> {
    const refused = new Set<string>();
    const denials = evil.onDenied((denial) => refused.add(denial.subject));
    evil.subscribe(subject, queue, () => undefined);
    evil.subscribe('nobody.may.this', undefined, () => undefined);
    await until(() => refused.has('nobody.may.this'), 'the sentinel');
    denials.unsubscribe();
    return refused.has(subject);
  }

  /** Everything the peel has sent so far has been worked off, across the accounts too. */
  const settled = () => evilBus.bucket('basket').put('web-01.settled', bytes('x'));

  it.each([
    '$JS.API.DIRECT.GET.KV_secrets.$KV.secrets.web-02',
    '$JS.API.DIRECT.GET.KV_secrets.$KV.secrets.*',
    '$JS.API.DIRECT.GET.KV_secrets.$KV.secrets.>',
    '$JS.API.DIRECT.GET.KV_secrets.>',
    '$JS.API.DIRECT.GET.KV_secrets',
    '$JS.API.DIRECT.GET.KV_facts.$KV.facts.web-02',
    '$JS.API.DIRECT.GET.KV_jobs.$KV.jobs.x',
    '$JS.API.STREAM.MSG.GET.KV_secrets',
    '$JS.API.INFO',
    '$JS.API.STREAM.LIST',
    '$JS.API.STREAM.NAMES',
    ...[
      'INFO',
      'PURGE',
      'DELETE',
      'UPDATE',
      'SNAPSHOT',
      'MSG.DELETE',
      'LEADER.STEPDOWN',
      'CREATE',
      'RESTORE',
    ].map((call) => `$JS.API.STREAM.${call}.KV_secrets`),
    ...['NAMES', 'LIST', 'CREATE', 'DURABLE.CREATE'].map((call) => `$JS.API.CONSUMER.${call}.KV_secrets`),
    '$JS.API.CONSUMER.CREATE.KV_secrets.mine.$KV.secrets.web-01',
    '$JS.API.CONSUMER.CREATE.job-words.late-returns.zester.job.*.return.web-01',
    '$JS.ACK.job-words.late-returns.1.1.1.1.1',
    '$KV.facts.web-02',
    '$KV.facts.web-01.x',
    '$KV.secrets.web-01',
    '$KV.settings-files._revision',
    '$KV.state-files._manifest',
    '$KV.jobs.x',
    '$KV.leases.publisher',
    '$KV.basket.web-02.x',
    '$O.file-blobs.M.eA==',
    `zester.job.${JID}.return.web-02`,
    `zester.job.${JID}.cancel`,
    `zester.job.${JID}.status`,
    'zester.cmd.web-02',
    'zester.dispatch',
    'zester.event.web-02.send.x',
    'zester.event._master.x',
    '_INBOX.web-02.x',
    '_INBOX.master.x',
    '_R_.x.y',
    '$SYS.REQ.CLAIMS.UPDATE',
    '$SYS.REQ.SERVER.PING',
  ])('may not publish on %s', async (subject) => {
    expect(await isRefused(subject)).toBe(true);
  });

  it.each([
    '>',
    '*',
    '_INBOX.>',
    '_INBOX.web-02.>',
    '_INBOX.*.>',
    '_R_.>',
    '$KV.>',
    '$KV.secrets.web-01',
    '$SYS.>',
    '$JS.EVENT.ADVISORY.>',
    'zester.cmd.web-02',
    'zester.cmd.*',
    'zester.cmd.>',
    'zester.job.>',
    `zester.job.${JID}.return.*`,
    'zester.kv.>',
    'zester.kv.secrets.web-02',
    'zester.kv.secrets.*',
    'zester.event.>',
  ])('may not listen on %s, in a queue group neither', async (subject) => {
    expect(await isSubscriptionRefused(subject)).toBe(true);
    expect(await isSubscriptionRefused(subject, 'q')).toBe(true);
  });

  it.each([{ last_by_subj: '$KV.secrets.web-02' }, { seq: 1 }, { multi_last: ['$KV.secrets.>'] }])(
    'own key in the subject and %j in the body gives nothing',
    async (body) => {
      const got: RawMessage[] = [];
      const reply = `${evil.inbox}.answer.x`;
      evil.subscribe(reply, undefined, (message) => got.push(message));
      evil.publish('$JS.API.DIRECT.GET.KV_secrets.$KV.secrets.web-01', bytes(JSON.stringify(body)), {
        reply,
      });
      await until(() => got.length > 0, 'the answer');
      expect(got.map((message) => [message.status, text(message.data)])).toEqual([[408, '']]);
    },
  );

  it.each([
    ['a setting of everyone', '$KV.settings-files.pwn', 'settings-files', 'pwn'],
    ['facts of another', '$KV.facts.web-02', 'facts', 'web-02'],
    ['a lease', '$KV.leases.publisher', 'leases', 'publisher'],
    ['a job', '$KV.jobs.x', 'jobs', 'x'],
  ])('the reply of a granted read cannot write %s', async (_what, reply, bucket, key) => {
    const before = await master.bucket(bucket).getLatest(key);
    evil.publish('$JS.API.DIRECT.GET.KV_basket.$KV.basket.web-01.evil', new Uint8Array(0), { reply });
    await settled();
    expect(await master.bucket(bucket).getLatest(key)).toEqual(before);
  });

  it('the acknowledgement of a granted write cannot write for it', async () => {
    evil.publish('$KV.facts.web-01', EVIL, { reply: '$KV.settings-files.forged' });
    await settled();
    expect(await master.bucket('settings-files').getLatest('forged')).toMatchObject({
      found: false,
      revision: 0,
    });
  });

  it.each(['DELETE', 'PURGE'])('a reply of STREAM.%s touches no stream', async (call) => {
    const before = await master.stream('KV_settings-files').state();
    evil.publish('$JS.API.DIRECT.GET.KV_basket.$KV.basket.web-01.none', new Uint8Array(0), {
      reply: `$JS.API.STREAM.${call}.KV_settings-files`,
    });
    await settled();
    expect(await master.stream('KV_settings-files').state()).toEqual(before);
  });

  it('a return of another cannot be stored through a reply', async () => {
    const before = await master.stream('job-events').state();
    evil.publish('$JS.API.DIRECT.GET.KV_basket.$KV.basket.web-01.evil', new Uint8Array(0), {
      reply: `zester.job.${JID}.return.web-02`,
    });
    await settled();
    expect(await master.stream('job-events').state()).toEqual(before);
  });

  it.each([
    ['$KV.facts.web-01', 'KV_facts'],
    ['$KV.basket.web-01.x', 'KV_basket'],
    [`zester.job.${JID}.return.web-01`, 'job-events'],
    ['zester.event.web-01.send.x', 'events'],
  ])('a roll-up header on %s empties nothing', async (subject, stream) => {
    await evilBus.append(subject, bytes('stored'), {});
    const before = await master.stream(stream).state();
    for (const kind of ['all', 'sub']) {
      const wipe = evilBus.append(subject, EVIL, { headers: new Map([['Nats-Rollup', kind]]) });
      await expect(wipe).rejects.toMatchObject({ code: 'BUS_STORE' });
    }
    expect(await master.stream(stream).state()).toEqual(before);
  });

  it('a message id can be taken by whoever knows it first; ours have a part that nobody knows', async () => {
    const subject = (peel: string) => `zester.job.${JID}.return.${peel}`;
    const victimBus = openAgentBus(victim, testRuntime);
    await evilBus.append(subject('web-01'), EVIL, { messageId: `${JID}.web-02` });
    const lost = await victimBus.append(subject('web-02'), bytes('true'), { messageId: `${JID}.web-02` });
    expect(lost.duplicate).toBe(true);
    const random = Buffer.from(testRuntime.random.bytes(16)).toString('hex');
    const kept = await victimBus.append(subject('web-02'), bytes('true'), {
      messageId: `${JID}.web-02.${random}`,
    });
    expect(kept.duplicate).toBe(false);
  });

  it('a job id that is a wildcard is stored, and no reader takes it for a job', async () => {
    const stored = await evilBus
      .append('zester.job.*.return.web-01', EVIL, {})
      .catch((error: unknown) => error);
    expect(stored).toMatchObject({ code: 'BUS_BAD_SUBJECT' });
    evil.publish('zester.job.*.return.web-01', EVIL);
    await settled();
    expect(parseJobSubject('zester.job.*.return.web-01')).toBeUndefined();
  });

  it.each([
    ['a command', 'zester.cmd.web-02'],
    ['a cancel', `zester.job.${JID}.cancel`],
    ['a hint', 'zester.kv.secrets.web-02'],
  ])(
    '%s to another peel can be forged through a reply: that is why they need proof',
    async (_what, subject) => {
      const got: RawMessage[] = [];
      victim.subscribe(subject, undefined, (message) => got.push(message));
      await victim.flush();
      evil.publish('$JS.API.DIRECT.GET.KV_basket.$KV.basket.web-01.evil', new Uint8Array(0), {
        reply: subject,
      });
      await until(() => got.length > 0, 'the forgery to arrive');
      expect(text(got[0]?.data ?? EVIL)).toBe('EVIL');
    },
  );
});

/** Header bytes that the client library would refuse to write, and to read. */
const hostileHeaders = (block: string) => ({ encode: () => bytes(block) }) as unknown as MsgHdrs;

describe('hostile header bytes from a peel, on a real nats-server', () => {
  const trust = new TrustedNats();
  let master: Bus;
  let raw: NatsConnection;
  let victim: AgentBus;
  beforeAll(async () => {
    const server = await trust.startServer();
    master = openBus(trust.connect([server.url], 'master', 'master'), testRuntime);
    victim = openAgentBus(trust.connect([server.url], 'peel', 'web-02'), testRuntime);
    await Promise.all([master.connected(), victim.connected()]);
    await ensureAssets(
      master,
      { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES },
      1,
    );
    const creds = trust.creds('peel', 'web-01');
    raw = await connect({
      servers: server.url,
      tls: { caFile: trust.caFile },
      authenticator: natsAuthenticator(() => creds),
      inboxPrefix: '_INBOX.web-01',
    });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([raw.close(), master.close(), victim.close()]);
  });

  it.each([
    ['a name with a blank', 'NATS/1.0\r\nbad name: x\r\n\r\n'],
    ['a status of the server’s', 'NATS/1.0 404 Message Not Found\r\n\r\n'],
    ['no responders', 'NATS/1.0 503\r\n\r\n'],
    ['a heartbeat', 'NATS/1.0 100 Idle Heartbeat\r\n\r\n'],
    ['no line ends', 'NATS/1.0 nonsense'],
  ])('%s: watches, listings, reads and consumers see everything all the same', async (_what, block) => {
    const facts = master.bucket('facts');
    const seen = new Set<string>();
    const watch = facts.watch('>', { changed: (read) => seen.add(`${read.key}@${read.revision}`) });
    const handled: string[] = [];
    const consumer = { ...CONSUMERS.reactor, name: unique('headers') };
    const consumption = master.stream(consumer.stream).consume(consumer, { slots: 2 }, async (delivery) => {
      handled.push(text(delivery.data));
      delivery.ack();
    });
    await until(async () => {
      await master.append('zester.event._master.probe', bytes('probe'), {});
      return handled.length > 0;
    }, 'the consumer to be at work');
    const headers = hostileHeaders(block);
    raw.publish('$KV.facts.web-01', bytes('poison'), { headers });
    raw.publish('zester.event.web-01.send.x', bytes('poison'), { headers });
    raw.publish('$KV.basket.web-01.evil', bytes('poison'), { headers });
    raw.publish('$JS.API.DIRECT.GET.KV_basket.$KV.basket.web-01.evil', new Uint8Array(0), {
      reply: 'zester.cmd.web-02',
    });
    await raw.flush();
    const after = await facts.put('web-02', bytes('after'));
    await master.append('zester.event._master.x', bytes('after'), {});
    await until(() => seen.has(`web-02@${after}`), 'the watch to go on');
    await until(() => handled.includes('after') && handled.includes('poison'), 'the consumer to go on');
    expect((await facts.entries()).map((entry) => entry.key)).toEqual(['web-01', 'web-02']);
    const read = await facts.get('web-01');
    expect(read.found && text(read.value)).toBe('poison');
    const commands: string[] = [];
    const subscription = await victim.subscribe('zester.cmd.web-02', (message) =>
      commands.push(text(message.data)),
    );
    master.publish('zester.cmd.web-02', bytes('true'));
    await until(() => commands.includes('true'), 'the other peel to hear its master');
    subscription.unsubscribe();
    watch.stop();
    await consumption.stop();
  });
});
