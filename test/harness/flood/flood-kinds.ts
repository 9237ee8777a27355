/**
 * The flood kinds are the ways in which one peel can flood, at least one for everything that its grant lets it publish: a grant that no kind
 * covers fails a test. Each is an order to the flooder; `E` stands for its id.
 */
import { peelGrant } from '../../../src/wire/names/grants.ts';
import { subjectMatches } from '../../../src/wire/names/subjects.ts';

export interface FloodKind {
  /** `*` is another word every time. */
  readonly subject: string;
  readonly bytes: number;
  readonly connections?: number;
  /** Wants answers, on its inbox. */
  readonly asks?: boolean;
  /** Takes nothing from the line. */
  readonly unread?: boolean;
  /** Hides: takes every answer so often, by as many subscriptions. */
  readonly echoes?: number;
  /** Hides: a connection ends after so many messages, and another begins. */
  readonly messagesPerLife?: number;
  /** Hides: no connection sends more than this. */
  readonly perSecond?: number;
}

const SMALL = 8;
const JS_READ = '$JS.API.DIRECT.GET';

export const FLOOD_KINDS: Readonly<Record<string, FloodKind>> = {
  acks: { subject: 'zester.job.*.ack.E', bytes: SMALL },
  'large acks': { subject: 'zester.job.*.ack.E', bytes: 1_000_000 },
  returns: { subject: 'zester.job.*.return.E', bytes: SMALL },
  'empty returns': { subject: 'zester.job.*.return.E', bytes: 0 },
  'large returns': { subject: 'zester.job.*.return.E', bytes: 1_000_000 },
  'scheduled results': { subject: 'zester.job.*.schedule.E', bytes: SMALL },
  events: { subject: 'zester.event.E.send.*', bytes: SMALL },
  'large events': { subject: 'zester.event.E.send.*', bytes: 60_000 },
  facts: { subject: '$KV.facts.E', bytes: SMALL },
  'large facts': { subject: '$KV.facts.E', bytes: 250_000 },
  heartbeats: { subject: '$KV.peel-heartbeat.E', bytes: SMALL },
  basket: { subject: '$KV.basket.E.*', bytes: SMALL },
  'large basket': { subject: '$KV.basket.E.*', bytes: 60_000 },
  resolves: { subject: 'zester.target.resolve.E', bytes: SMALL, asks: true },
  renewals: { subject: 'zester.enroll.renew.E', bytes: SMALL, asks: true },
  'direct answers': { subject: 'zester.direct.*.E', bytes: SMALL },
  'reads of settings': { subject: `${JS_READ}.KV_settings-files.$KV.settings-files.*`, bytes: 0, asks: true },
  'reads of states': { subject: `${JS_READ}.KV_state-files.$KV.state-files.*`, bytes: 0, asks: true },
  'reads of the basket': { subject: `${JS_READ}.KV_basket.$KV.basket.*`, bytes: 0, asks: true },
  'reads of secrets': { subject: `${JS_READ}.KV_secrets.$KV.secrets.E`, bytes: 0, asks: true },
  'reads of tags': { subject: `${JS_READ}.KV_peel-tags.$KV.peel-tags.E`, bytes: 0, asks: true },
  'reads of objects': { subject: `${JS_READ}.OBJ_file-blobs`, bytes: 0, asks: true },
  'reads of names of objects': {
    subject: `${JS_READ}.OBJ_file-blobs.$O.file-blobs.M.*`,
    bytes: 0,
    asks: true,
  },
  'hidden returns': { subject: 'zester.job.*.return.E', bytes: SMALL, asks: true, echoes: 3 },
  'hidden large returns': { subject: 'zester.job.*.return.E', bytes: 1_000_000, asks: true, echoes: 100 },
  'returns on short connections': { subject: 'zester.job.*.return.E', bytes: SMALL, messagesPerLife: 4_000 },
  'returns on many connections': {
    subject: 'zester.job.*.return.E',
    bytes: SMALL,
    connections: 20,
    perSecond: 1_000,
  },
  connections: { subject: '', bytes: 0, connections: 1_000 },
  'unread connections': {
    subject: `${JS_READ}.KV_state-files.$KV.state-files._large`,
    bytes: 0,
    connections: 20,
    asks: true,
    unread: true,
  },
};

/** What a peel may publish and no kind tries. Public keys are read as a peel's own secrets are. */
export function grantsWithoutKind(): string[] {
  const tried = Object.values(FLOOD_KINDS).map(({ subject }) =>
    subject.replace(/\bE\b/, 'evil').replace('*', 'x'),
  );
  return peelGrant('evil')
    .pub.filter((grant) => !grant.includes('.secrets._'))
    .filter((grant) => !tried.some((subject) => subjectMatches(grant, subject)));
}
