/**
 * A subject tree finds who is interested in a subject without asking everybody: it keeps patterns by their tokens, with
 * `*` and `>`.
 */

interface Branch<T> {
  readonly next: Map<string, Branch<T>>;
  /** Patterns that end here. */
  readonly here: Set<T>;
  /** Patterns that end here with `>`: one more token or any number. */
  readonly rest: Set<T>;
}

export class SubjectTree<T> {
  private readonly root: Branch<T> = newBranch();

  add(pattern: string, value: T): void {
    this.placeOf(pattern).add(value);
  }

  delete(pattern: string, value: T): void {
    this.placeOf(pattern).delete(value);
  }

  /** In an order that depends only on what was added. */
  match(subject: string): T[] {
    const found: T[] = [];
    collect(this.root, subject.split('.'), 0, found);
    return found;
  }

  has(subject: string): boolean {
    return isCovered(this.root, subject, 0);
  }

  private placeOf(pattern: string): Set<T> {
    let branch = this.root;
    for (const token of pattern.split('.')) {
      if (token === '>') return branch.rest;
      let next = branch.next.get(token);
      if (next === undefined) {
        next = newBranch();
        branch.next.set(token, next);
      }
      branch = next;
    }
    return branch.here;
  }
}

function newBranch<T>(): Branch<T> {
  return { next: new Map(), here: new Set(), rest: new Set() };
}

function collect<T>(branch: Branch<T>, tokens: readonly string[], at: number, found: T[]): void {
  if (at === tokens.length) {
    for (const value of branch.here) found.push(value);
    return;
  }
  for (const value of branch.rest) found.push(value);
  const exact = branch.next.get(tokens[at] as string);
  if (exact !== undefined) collect(exact, tokens, at + 1, found);
  const any = branch.next.get('*');
  if (any !== undefined) collect(any, tokens, at + 1, found);
}

function isCovered<T>(branch: Branch<T>, subject: string, from: number): boolean {
  if (from > subject.length) return branch.here.size > 0;
  if (branch.rest.size > 0) return true;
  const dot = subject.indexOf('.', from);
  const end = dot < 0 ? subject.length : dot;
  const exact = branch.next.get(subject.slice(from, end));
  if (exact !== undefined && isCovered(exact, subject, end + 1)) return true;
  const any = branch.next.get('*');
  return any !== undefined && isCovered(any, subject, end + 1);
}
