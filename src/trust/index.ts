/** The trust plane, by name: what other folders may use. Certificates have a door of their own, `x509/index.ts`. */
export { resignAccount } from './accounts.ts';
export {
  type CredsRole,
  credsPath,
  initAuthDir,
  loadCreds,
  loadMasterTrust,
  loadOperatorKey,
  loadPublicTrust,
  type MasterTrust,
} from './auth-dir.ts';
export { AUTH_FILES, type AuthFile } from './auth-files.ts';
export { type AuthInit, type AuthInitOptions, type AuthSummary, authInit } from './auth-init.ts';
export type { AccountBody, OperatorBody, Revocations, UserBody } from './claims.ts';
export { commandKeyOf, messageIdsOf } from './command-key.ts';
export {
  makeCommandProof,
  type ProofKey,
  proofKeyForMaster,
  proofKeyForPeel,
  verifyCommandProof,
} from './command-proof.ts';
export { type Creds, formatCreds, parseCreds } from './creds.ts';
export { type Ed25519Key, ed25519Key, verifyEd25519 } from './ed25519.ts';
export { decodeJwt, isExpired, type JwtClaims } from './jwt.ts';
export { readPublicFile, readSecretFile } from './key-files.ts';
export { natsAuthenticator } from './nats-authenticator.ts';
export { type NatsUrl, parseNatsUrl, parseNatsUrls } from './nats-url.ts';
export {
  type CurveKey,
  curveKeyFromSeed,
  curveKeyOf,
  decodePublicKey,
  isPublicKey,
  type KeyRole,
  newSigningKey,
  type SigningKey,
  type SigningRole,
  signingKeyFromSeed,
  verifyWithPublicKey,
} from './nkeys.ts';
export {
  certifyOperator,
  formatOperatorKey,
  newOperatorKey,
  type OperatorKey,
  type OperatorTerms,
  parseOperatorKey,
} from './operator-key.ts';
export type { ProofMaker, ProofRefusal, ProofVerdict } from './proof-verdict.ts';
export {
  type HostPort,
  renderServerConfig,
  renderTrust,
  type ServerConfig,
  type TlsFiles,
} from './server-config.ts';
export {
  type DirectRequest,
  type ProofTrust,
  signCancelAsMaster,
  signCancelAsOperator,
  signDirect,
  verifyCancel,
  verifyDirect,
} from './signed-proof.ts';
export { newTopology, type PublicTrust, type SignedAccount, type Topology } from './topology.ts';
export { mintPeelUser, mintTrustedUser, type PeelUser, type TrustedUser } from './users.ts';
