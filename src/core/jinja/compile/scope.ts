/**
 * A scope says where each name of a part of a template lives. Jinja2 decides that before a template runs: a scope is
 * read through once, and every name in it gets a variable that is a slot of the running unit, so that nothing is looked
 * up by name at run time except what comes from the context.
 *
 * The rules that follow from it, and that templates in the wild rely on:
 *   - A name that a scope only reads is the nearest outer variable, or comes from the context.
 *   - A name that a scope writes is its own. It starts as a copy of the outer variable, or as missing.
 *   - A branch of `if` is no scope. A name that is written in a branch only starts as the outer or context value.
 *   - A macro sees the variables around it as they are when it is called, as a Python closure does.
 */

/** Code that runs with slots of its own: the top level of a template, a block, a macro, a recursive loop. */
export class Unit {
  /** The unit whose variables the code may see; a block sees none. */
  readonly outer: Unit | undefined;
  private slotCount = 0;
  private readonly contextVariables = new Map<string, Variable>();

  constructor(outer: Unit | undefined) {
    this.outer = outer;
  }

  get slots(): number {
    return this.slotCount;
  }

  newSlot(): number {
    return this.slotCount++;
  }

  /**
   * The slot for a name that is only ever read from the context. All scopes of the unit share it: no scope around it
   * writes the name, so that the value cannot change while the unit runs.
   */
  contextVariable(name: string): Variable {
    let variable = this.contextVariables.get(name);
    if (variable === undefined) {
      variable = { name, unit: this, slot: this.newSlot(), start: { from: 'context', eager: false } };
      this.contextVariables.set(name, variable);
    }
    return variable;
  }
}

export interface Variable {
  readonly name: string;
  readonly unit: Unit;
  readonly slot: number;
  readonly start: Start;
}

/** What a variable holds when its scope is entered. */
export type Start =
  /** Whoever enters the scope sets it. */
  | { readonly from: 'parameter' }
  | { readonly from: 'missing' }
  /** The value from the context: when the scope is entered if `eager`, else when it is first read. */
  | { readonly from: 'context'; readonly eager: boolean }
  | { readonly from: 'variable'; readonly variable: Variable };

/** What is known of a name while its scope is read through. */
type Finding = 'parameter' | 'written' | 'writtenInBranch' | 'read';

export class Scope {
  readonly unit: Unit;
  readonly outer: Scope | undefined;
  private readonly findings = new Map<string, Finding>();
  private readonly written = new Set<string>();
  private readonly variables = new Map<string, Variable>();

  constructor(unit: Unit, outer: Scope | undefined) {
    this.unit = unit;
    this.outer = outer;
  }

  declareParameter(name: string): void {
    this.written.add(name);
    this.findings.set(name, 'parameter');
  }

  write(name: string, inBranch: boolean): void {
    this.written.add(name);
    if (!this.findings.has(name)) this.findings.set(name, inBranch ? 'writtenInBranch' : 'written');
  }

  read(name: string): void {
    if (!this.findings.has(name) && this.outer?.find(name) === undefined) this.findings.set(name, 'read');
  }

  /** Gives every name its variable; after that the scope takes no more names. */
  settle(): void {
    for (const [name, finding] of this.findings) this.variables.set(name, this.settleName(name, finding));
  }

  private settleName(name: string, finding: Finding): Variable {
    if (finding === 'read' && !this.written.has(name)) return this.unit.contextVariable(name);
    return { name, unit: this.unit, slot: this.unit.newSlot(), start: this.start(name, finding) };
  }

  private start(name: string, finding: Finding): Start {
    if (finding === 'parameter') return { from: 'parameter' };
    const outer = this.outer?.find(name);
    if (outer !== undefined) return { from: 'variable', variable: outer };
    return finding === 'written' ? { from: 'missing' } : { from: 'context', eager: true };
  }

  /** The variable a name means here; undefined where no scope knows the name. */
  find(name: string): Variable | undefined {
    return this.variables.get(name) ?? this.outer?.find(name);
  }

  /** The variables that must be set when the scope is entered. */
  entering(): readonly Variable[] {
    return [...this.variables.values()].filter(
      ({ start }) => start.from !== 'parameter' && !(start.from === 'context' && !start.eager),
    );
  }

  /** What is written here and around: what an included template, or a scoped block, may see besides the context. */
  visibleWrites(): readonly Variable[] {
    const visible = new Map<string, Variable>();
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.outer)
      for (const name of scope.written) {
        const variable = this.find(name);
        if (variable !== undefined && !visible.has(name)) visible.set(name, variable);
      }
    return [...visible.values()];
  }

  /** Names a reader may have meant: all that scopes around know. */
  *names(): Iterable<string> {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.outer)
      yield* scope.variables.keys();
  }
}
