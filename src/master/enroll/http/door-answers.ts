/**
 * `DoorAnswers` turns requests at the enrollment door into questions to the desk, and what it says into answers: JSON, with the status
 * of the error registry. Paths and bodies are those of wire/names/enroll-routes.ts and wire/records/enroll/enroll-http.ts. No
 * answer has more of an error than its text and code.
 *
 * HEAD is answered where GET changes nothing. A challenge and the credentials are made for who asks, so there it is refused.
 */
import { PEEL_ID_PROBLEM, readEnrollBody } from '../../../core/enroll/desk/read-request.ts';
import { isZesterError, type ZesterError, zesterError } from '../../../core/errors/zester-error.ts';
import { printableLine } from '../../../core/printable.ts';
import { didYouMean } from '../../../core/suggest.ts';
import { decodeBase64url } from '../../../wire/msgpack/base64url.ts';
import { formatRfc3339 } from '../../../wire/msgpack/time.ts';
import { ENROLL_CA_PATH, ENROLL_NONCE_PATH, ENROLL_PATH } from '../../../wire/names/enroll-routes.ts';
import { type EnrollmentId, parseEnrollmentId, parsePeelId } from '../../../wire/names/ids.ts';
import type {
  EnrollBootstrap,
  EnrollCredsAnswer,
  EnrollErrorAnswer,
  EnrollNonceAnswer,
  EnrollStatusAnswer,
} from '../../../wire/records/enroll/enroll-http.ts';
import type { Enrollment } from '../../../wire/records/enroll/enrollment.ts';
import type { EnrollmentDesk } from '../enrollment-desk.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request is about. */
export type DoorRoute =
  | { readonly is: 'nonce' | 'submit' | 'ca' }
  | { readonly is: 'status' | 'stream' | 'creds'; readonly id: EnrollmentId };

export interface HttpQuestion {
  readonly query: URLSearchParams;
  readonly authorization: string;
  /** Where it came from. */
  readonly address: string;
  readonly body: string;
}

type RouteName = DoorRoute['is'];

const METHODS: Readonly<Record<RouteName, readonly string[]>> = {
  nonce: ['GET'],
  submit: ['POST'],
  ca: ['GET', 'HEAD'],
  status: ['GET', 'HEAD'],
  stream: ['GET'],
  creds: ['GET'],
};
const QUERY_KEYS: readonly string[] = ['peel_id', 'public_key'];
const ID_PATH = new RegExp(`^${ENROLL_PATH}/([^/]+)/(status|stream|creds)$`);
const AUTHORIZATION = /^Nkey ([A-Z0-9]{56}):([A-Za-z0-9_-]{86})$/;
const RETRY_SECONDS = 5;
const SHOWN_CHARS_MAX = 64;

/** Throws what is wrong with path or method. */
export function routeOf(method: string, path: string): DoorRoute {
  const route = routeAt(path);
  if (route === undefined) throw zesterError('ENROLL_NO_SUCH_PATH', {});
  const methods = METHODS[route.is];
  if (!methods.includes(method)) throw zesterError('ENROLL_METHOD', { methods: methods.join(', ') });
  return route;
}

function routeAt(path: string): DoorRoute | undefined {
  if (path === ENROLL_PATH) return { is: 'submit' };
  if (path === ENROLL_NONCE_PATH) return { is: 'nonce' };
  if (path === ENROLL_CA_PATH) return { is: 'ca' };
  const [, text = '', is] = ID_PATH.exec(path) ?? [];
  const id = parseEnrollmentId(text);
  return id === undefined ? undefined : { is: is as 'status' | 'stream' | 'creds', id };
}

export class DoorAnswers {
  private readonly desk: EnrollmentDesk;
  private readonly bootstrap: () => EnrollBootstrap | undefined;

  constructor(desk: EnrollmentDesk, bootstrap: () => EnrollBootstrap | undefined) {
    this.desk = desk;
    this.bootstrap = bootstrap;
  }

  async answer(route: Exclude<DoorRoute, { is: 'stream' }>, request: HttpQuestion): Promise<HttpAnswer> {
    switch (route.is) {
      case 'nonce':
        return this.nonce(request.query);
      case 'submit':
        return this.submit(request);
      case 'ca':
        return this.ca();
      case 'status':
        return { status: 200, body: statusBody(await this.desk.status(route.id)) };
      default:
        return this.creds(route.id, request.authorization);
    }
  }

  private async nonce(query: URLSearchParams): Promise<HttpAnswer> {
    for (const key of query.keys()) {
      if (!QUERY_KEYS.includes(key)) {
        const shown = printableLine(key, SHOWN_CHARS_MAX);
        throw invalid(
          `there is no ${shown} in this query; ${didYouMean(shown, QUERY_KEYS, `there is ${QUERY_KEYS.join(', ')}`)}`,
        );
      }
      if (query.getAll(key).length > 1) throw invalid(`${key} is given twice`);
    }
    const peel = parsePeelId(query.get('peel_id') ?? '');
    if (peel === undefined) throw invalid(PEEL_ID_PROBLEM);
    const made = await this.desk.challenge(peel, query.get('public_key') ?? '');
    const body: EnrollNonceAnswer = {
      challenge_id: made.challengeId,
      challenge: Buffer.from(made.challenge).toString('base64'),
      expires_at: formatRfc3339(made.expiresAt),
    };
    return { status: 200, body };
  }

  private async submit({ body, address }: HttpQuestion): Promise<HttpAnswer> {
    const read = readEnrollBody(body);
    if ('problem' in read) throw invalid(read.problem);
    const { record, isNew, note } = await this.desk.submit(read.request, address);
    const said = { ...statusBody(record), ...(note === undefined ? {} : { message: note }) };
    return { status: isNew ? 201 : 200, body: said };
  }

  private ca(): HttpAnswer {
    const bootstrap = this.bootstrap();
    if (bootstrap === undefined) throw zesterError('ENROLL_NO_CA', {});
    const agentsKeys = this.desk.agentsKeys();
    const body = { ...bootstrap, ...(agentsKeys.length === 0 ? {} : { agents_keys: agentsKeys }) };
    return { status: 200, body, headers: { 'cache-control': 'public, max-age=60' } };
  }

  private async creds(id: EnrollmentId, authorization: string): Promise<HttpAnswer> {
    const [, publicKey = '', text = ''] = AUTHORIZATION.exec(authorization) ?? [];
    const signature = decodeBase64url(text);
    if (publicKey === '' || signature === undefined)
      throw zesterError('ENROLL_SIGNATURE', {
        what: 'the header Authorization is not `Nkey <key>:<signature>`',
      });
    const { peelId, jwt, expiresAt } = await this.desk.issue(id, { publicKey, signature });
    const body: EnrollCredsAnswer = {
      peel_id: peelId,
      creds_data: Buffer.from(jwt).toString('base64'),
      expires_at: formatRfc3339(expiresAt),
    };
    return { status: 200, body };
  }
}

export function statusBody({
  id,
  peelId,
  state,
  rejectReason,
  supersededBy,
}: Enrollment): EnrollStatusAnswer {
  return {
    id,
    peel_id: peelId,
    state,
    ...(rejectReason === '' ? {} : { message: rejectReason }),
    ...(supersededBy === '' ? {} : { superseded_by: supersededBy }),
  };
}

export function doorError(error: unknown): HttpAnswer {
  if (!isZesterError(error)) {
    const body: EnrollErrorAnswer = { error: 'a bug in zester-master; see its log' };
    return { status: 500, body };
  }
  const { message, code, httpStatus: status } = error;
  const body: EnrollErrorAnswer = { error: message, code };
  return { status, body, headers: errorHeaders(error) };
}

function errorHeaders(error: ZesterError): Record<string, string> {
  const { code, params, httpStatus } = error;
  if (code === 'ENROLL_METHOD') return { allow: String(params.methods) };
  if (code === 'ENROLL_RATE') return { 'retry-after': String(params.seconds) };
  if (httpStatus === 401) return { 'www-authenticate': 'Nkey' };
  return httpStatus === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {};
}

function invalid(problem: string) {
  return zesterError('ENROLL_REQUEST_INVALID', { problem });
}
