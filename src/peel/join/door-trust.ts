/**
 * `settleTrust` climbs the trust ladder (core/enroll/trust-ladder.ts) before anything is sent to a master: it answers with the CAs by
 * which every later request is judged, and with the bootstrap document, read over a connection that was judged by them.
 *
 * With a pin, and at first use, the root must be fetched before it can be judged: that one question tells the master nothing, and
 * of the answer only the root is used, and only if it fits the pin.
 */
import { type BootstrapRead, readBootstrap } from '../../core/enroll/door-answers.ts';
import type { DoorUrl } from '../../core/enroll/door-url.ts';
import { doorVerdict } from '../../core/enroll/door-verdict.ts';
import { type TrustRung, trustRungs } from '../../core/enroll/trust-ladder.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { ENROLL_CA_PATH } from '../../wire/names/enroll-routes.ts';
import { type RootCertificate, readCas, readRoots } from './ca-bundle.ts';
import { DoorFailure, requestDoor } from './door-request.ts';
import { type Doors, explained, type JoinLine, type TrustedBy } from './doors.ts';

export interface TrustMeans {
  /** What the operator put on the machine: path and text. */
  readonly caFile: { readonly path: string; readonly pem: string } | undefined;
  /** Any of them is good. */
  readonly pins: readonly string[];
  /** Of an earlier join. */
  readonly persisted: { readonly path: string; readonly pem: string } | undefined;
  readonly hasCredentials: boolean;
  readonly strict: boolean;
}

export interface SettledTrust extends TrustedBy {
  readonly anchors: readonly string[] | 'system';
  readonly bootstrap: Bootstrap;
}

export interface Bootstrap {
  /** The root of the fleet: of the NATS servers, and of the doors unless they have certificates of their own. */
  readonly root: RootCertificate;
  readonly natsUrls: readonly string[];
  /** By which credentials are good; empty: the door does not say. */
  readonly agentsKeys: readonly string[];
}

const WHAT = 'the question for the CA';

export async function settleTrust(doors: Doors, means: TrustMeans, line: JoinLine): Promise<SettledTrust> {
  const rungs = trustRungs({
    hasCaFile: means.caFile !== undefined,
    hasPins: means.pins.length > 0,
    hasPersisted: means.persisted !== undefined,
    hasCredentials: means.hasCredentials,
    strict: means.strict,
  });
  const [first, second] = rungs;
  try {
    return await onRung(first, doors, means, line);
  } catch (error) {
    // The only step down there is: nothing was given, nothing is known, and it is allowed.
    if (second === undefined || !isZesterError(error, 'JOIN_UNTRUSTED')) throw error;
    return onRung(second, doors, means, line);
  }
}

async function onRung(
  rung: TrustRung,
  doors: Doors,
  means: TrustMeans,
  line: JoinLine,
): Promise<SettledTrust> {
  const anchors = await anchorsOf(rung, doors, means, line);
  const { door, ...answer } = await doors.ask({ path: ENROLL_CA_PATH }, { rung, anchors });
  const bootstrap = bootstrapOf(door, answer.status, answer.body);
  return { rung, anchors, bootstrap };
}

async function anchorsOf(
  rung: TrustRung,
  doors: Doors,
  { caFile, pins, persisted }: TrustMeans,
  line: JoinLine,
): Promise<readonly string[] | 'system'> {
  if (rung === 'system') return 'system';
  if (rung === 'pin' || rung === 'first-use') return [await shownRoot(rung, doors, pins, line)];
  const { path, pem } = (rung === 'ca-file' ? caFile : persisted) ?? { path: '', pem: '' };
  const cas = readCas(pem);
  if (cas.length === 0)
    throw zesterError('JOIN_CA_FILE', { file: path, problem: 'it holds no certificate of a CA' });
  // Both were given: both must hold.
  const [firstCa] = cas;
  if (pins.length > 0 && !cas.some(({ pin }) => pins.includes(pin)))
    throw zesterError('JOIN_PIN_MISMATCH', {
      url: path,
      seen: firstCa?.pin ?? 'none',
      pin: pins.join(' or '),
    });
  return cas.map((ca) => ca.pem);
}

/** The root that a door shows, in its bootstrap document or in its chain. */
function shownRoot(rung: TrustRung, doors: Doors, pins: readonly string[], line: JoinLine): Promise<string> {
  return doors.untilReached(async (door) => {
    const answer = await requestDoor(door, { path: ENROLL_CA_PATH }, 'nothing', line).catch(async (error) => {
      throw await explained(error, door, rung, line);
    });
    if (doorVerdict(answer.status, answer.retryAfter).is === 'next')
      throw new DoorFailure('unreachable', `it answered with ${answer.status}`);
    const read = answer.status === 200 ? readBootstrap(answer.body) : { problem: statusWords(answer.status) };
    const told = 'value' in read ? readRoots(read.value.bundlePem) : [];
    const roots = [...told, ...answer.chain.flatMap(readRoots)];
    const [firstRoot] = roots;
    if (firstRoot === undefined)
      throw zesterError('JOIN_BAD_ANSWER', {
        url: door.url,
        what: WHAT,
        problem: 'problem' in read ? read.problem : 'it shows no root certificate',
      });
    if (rung === 'first-use') return firstRoot.pem;
    const fitting = roots.find(({ pin }) => pins.includes(pin));
    if (fitting !== undefined) return fitting.pem;
    throw zesterError('JOIN_PIN_MISMATCH', { url: door.url, seen: firstRoot.pin, pin: pins.join(' or ') });
  });
}

/** Read over a connection that is trusted; still it must fit together. */
export function bootstrapOf({ url }: DoorUrl, status: number, body: string): Bootstrap {
  const bad = (problem: string) => zesterError('JOIN_BAD_ANSWER', { url, what: WHAT, problem });
  if (status !== 200) throw bad(statusWords(status));
  const read = readBootstrap(body);
  if ('problem' in read) throw bad(read.problem);
  const { bundlePem, fingerprint, natsUrls, agentsKeys }: BootstrapRead = read.value;
  const root = readRoots(bundlePem).find(({ pin }) => pin === fingerprint);
  if (root === undefined) throw bad('its bundle has no root with the fingerprint that it names');
  return { root, natsUrls, agentsKeys };
}

function statusWords(status: number): string {
  return `its status is ${status}`;
}
