/**
 * This file has the paths of the enrollment door: the HTTPS listener of a master at which a machine that is no peel yet asks to
 * become one. What travels there is JSON (records/enroll/enroll-http.ts).
 */
import type { EnrollmentId } from './ids.ts';

/** GET, `?peel_id=&public_key=`: a challenge to sign. */
export const ENROLL_NONCE_PATH = '/api/v1/enroll/nonce';
/** POST: the request to join, with the answered challenge. */
export const ENROLL_PATH = '/api/v1/enroll';
/** GET, nothing to prove: the CA of the fleet and the addresses of its NATS servers. Whoever reads it must check the CA itself. */
export const ENROLL_CA_PATH = '/api/v1/enroll/ca';
/** GET: where an enrollment stands. */
export const enrollStatusPath = (id: EnrollmentId): string => `${ENROLL_PATH}/${id}/status`;
/** GET: the same as server-sent events, until it is no longer pending. */
export const enrollStreamPath = (id: EnrollmentId): string => `${ENROLL_PATH}/${id}/stream`;
/** GET, `Authorization: Nkey <public key>:<signature of the id, base64url>`: the credentials, once. */
export const enrollCredsPath = (id: EnrollmentId): string => `${ENROLL_PATH}/${id}/creds`;

/** Largest request body. */
export const ENROLL_BODY_BYTES_MAX = 4_096;
/** Largest answer that a machine reads. */
export const ENROLL_ANSWER_BYTES_MAX = 65_536;
/** Where a master listens, and a peel looks, unless told otherwise. */
export const ENROLL_PORT = 8_443;
