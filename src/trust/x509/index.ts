/** The certificate authority. Its own door, so that a peel's import closure holds no X.509 code. */
export {
  type IssuedLeaf,
  type IssuingCa,
  issueLeaf,
  type KeyAndCertificate,
  type LeafRequest,
  type NewCa,
  newCa,
  openCa,
  spkiPin,
} from './ca.ts';
export { initCaDir, loadCa, loadRoot, rootPath, writeLeaf } from './ca-dir.ts';
export { type CaCertificate, leafEndsMs, readCaCertificate } from './read-certificate.ts';
