/**
 * A state tree holds the state files as the compiler and the modules see them. Paths are relative, with `/` between
 * their parts, and stay inside the tree. A file that is not there is undefined; one that cannot be read throws.
 */
export interface StateTree {
  /** Where it is, for messages: a directory. */
  readonly where: string;
  readText(path: string): Promise<string | undefined>;
  readBytes(path: string): Promise<Uint8Array | undefined>;
  /** Every file, sorted. For "did you mean", for `file.recurse` and for `zester lint`. */
  list(): Promise<readonly string[]>;
}
