/**
 * These types are the tree that a template parses to. Every node knows where it was written, so that every error can
 * point there.
 */

/** Where something starts in a template: offset in UTF-16 units, line and column from 1. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

interface Node {
  readonly at: Position;
}

export type Expression =
  | LiteralNode
  | NameNode
  | TupleNode
  | ListNode
  | DictNode
  | AttributeNode
  | ItemNode
  | SliceNode
  | CallNode
  | FilterNode
  | TestNode
  | UnaryNode
  | BinaryNode
  | CompareNode
  | ConcatNode
  | AndNode
  | OrNode
  | NotNode
  | ConditionNode;

/** `1`, `1.5`, `'a'`, `true`, `none`. Whole numbers outside JavaScript's safe range are bigints; a float says so. */
export interface LiteralNode extends Node {
  readonly kind: 'literal';
  readonly literal:
    | { readonly type: 'int'; readonly value: number | bigint }
    | { readonly type: 'float'; readonly value: number }
    | { readonly type: 'str'; readonly value: string }
    | { readonly type: 'bool'; readonly value: boolean }
    | { readonly type: 'none' };
}

export interface NameNode extends Node {
  readonly kind: 'name';
  readonly name: string;
}

export interface TupleNode extends Node {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
}

export interface ListNode extends Node {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

export interface DictNode extends Node {
  readonly kind: 'dict';
  readonly pairs: readonly { readonly key: Expression; readonly value: Expression }[];
}

/** `a.b`, also `a.0`, which is an item lookup with a whole number: that one parses to ItemNode. */
export interface AttributeNode extends Node {
  readonly kind: 'attribute';
  readonly object: Expression;
  readonly name: string;
}

export interface ItemNode extends Node {
  readonly kind: 'item';
  readonly object: Expression;
  /** `a[1, 2]` has a tuple here; a tuple may hold slices. */
  readonly key: Expression;
}

/** Only inside the brackets of an item lookup. */
export interface SliceNode extends Node {
  readonly kind: 'slice';
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}

export interface Keyword extends Node {
  readonly name: string;
  readonly value: Expression;
}

/** The arguments as written: positional, named, `*args` and `**kwargs`. */
export interface ArgumentNodes {
  readonly positional: readonly Expression[];
  readonly named: readonly Keyword[];
  readonly star: Expression | undefined;
  readonly doubleStar: Expression | undefined;
}

export interface CallNode extends Node {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: ArgumentNodes;
}

export interface FilterNode extends Node {
  readonly kind: 'filter';
  /** `undefined` only at the start of the chain of a filter block or a block set: the captured text goes there. */
  readonly input: Expression | undefined;
  /** May contain dots, as Jinja2 allows. */
  readonly name: string;
  readonly args: ArgumentNodes;
}

/** `x is name(args)`; `is not` is a NotNode around it. */
export interface TestNode extends Node {
  readonly kind: 'test';
  readonly input: Expression;
  readonly name: string;
  readonly args: ArgumentNodes;
}

export interface UnaryNode extends Node {
  readonly kind: 'unary';
  readonly operator: '-' | '+';
  readonly operand: Expression;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

export interface BinaryNode extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

/** `a < b < c`: each operand is evaluated once, and the chain stops at the first false. */
export interface CompareNode extends Node {
  readonly kind: 'compare';
  readonly first: Expression;
  readonly rest: readonly {
    readonly at: Position;
    readonly operator: CompareOperator;
    readonly operand: Expression;
  }[];
}

/** `a ~ b ~ c`. */
export interface ConcatNode extends Node {
  readonly kind: 'concat';
  readonly parts: readonly Expression[];
}

export interface AndNode extends Node {
  readonly kind: 'and';
  readonly left: Expression;
  readonly right: Expression;
}

export interface OrNode extends Node {
  readonly kind: 'or';
  readonly left: Expression;
  readonly right: Expression;
}

export interface NotNode extends Node {
  readonly kind: 'not';
  readonly operand: Expression;
}

/** `a if b else c`; without `else` the value is undefined. */
export interface ConditionNode extends Node {
  readonly kind: 'condition';
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression | undefined;
}

/** What can stand left of `=` or after `for`: a name, `ns.attr`, or a tuple of targets. */
export type AssignTarget =
  | { readonly kind: 'name'; readonly at: Position; readonly name: string }
  | {
      readonly kind: 'namespaceAttribute';
      readonly at: Position;
      readonly name: string;
      readonly attribute: string;
    }
  | { readonly kind: 'tupleTarget'; readonly at: Position; readonly items: readonly AssignTarget[] };

export type Statement =
  | TextNode
  | OutputNode
  | IfNode
  | ForNode
  | SetNode
  | BlockSetNode
  | MacroNode
  | CallBlockNode
  | FilterBlockNode
  | WithNode
  | BlockNode
  | ExtendsNode
  | IncludeNode
  | ImportNode
  | FromImportNode
  | DoNode
  | BreakNode
  | ContinueNode
  | AutoescapeNode
  | ScopeNode
  | LoadNode
  | ImportDataNode
  | ProfileNode;

/** Template text outside of all tags, after whitespace control. */
export interface TextNode extends Node {
  readonly kind: 'text';
  readonly text: string;
}

/** `{{ expression }}`. */
export interface OutputNode extends Node {
  readonly kind: 'output';
  readonly value: Expression;
}

export interface IfNode extends Node {
  readonly kind: 'if';
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[] | undefined;
}

export interface ForNode extends Node {
  readonly kind: 'for';
  readonly target: AssignTarget;
  readonly iterable: Expression;
  readonly filter: Expression | undefined;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[] | undefined;
}

export interface SetNode extends Node {
  readonly kind: 'set';
  readonly target: AssignTarget;
  readonly value: Expression;
}

/** `{% set x | upper %}…{% endset %}`; the filter chain's innermost input is undefined. */
export interface BlockSetNode extends Node {
  readonly kind: 'blockSet';
  readonly target: AssignTarget;
  readonly filter: FilterNode | undefined;
  readonly body: readonly Statement[];
}

export interface Parameter {
  readonly at: Position;
  readonly name: string;
  readonly defaultValue: Expression | undefined;
}

export interface MacroNode extends Node {
  readonly kind: 'macro';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

/** `{% call(a, b=1) f(x) %}…{% endcall %}`. */
export interface CallBlockNode extends Node {
  readonly kind: 'callBlock';
  readonly call: CallNode;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface FilterBlockNode extends Node {
  readonly kind: 'filterBlock';
  readonly filter: FilterNode;
  readonly body: readonly Statement[];
}

export interface WithNode extends Node {
  readonly kind: 'with';
  readonly targets: readonly AssignTarget[];
  readonly values: readonly Expression[];
  readonly body: readonly Statement[];
}

export interface BlockNode extends Node {
  readonly kind: 'block';
  readonly name: string;
  readonly scoped: boolean;
  readonly required: boolean;
  readonly body: readonly Statement[];
}

export interface ExtendsNode extends Node {
  readonly kind: 'extends';
  readonly template: Expression;
}

export interface IncludeNode extends Node {
  readonly kind: 'include';
  readonly template: Expression;
  readonly ignoreMissing: boolean;
  readonly withContext: boolean;
}

export interface ImportNode extends Node {
  readonly kind: 'import';
  readonly template: Expression;
  readonly name: string;
  readonly withContext: boolean;
}

export interface FromImportNode extends Node {
  readonly kind: 'fromImport';
  readonly template: Expression;
  readonly names: readonly { readonly at: Position; readonly name: string; readonly alias: string }[];
  readonly withContext: boolean;
}

export interface DoNode extends Node {
  readonly kind: 'do';
  readonly value: Expression;
}

export interface BreakNode extends Node {
  readonly kind: 'break';
}

export interface ContinueNode extends Node {
  readonly kind: 'continue';
}

/** `{% autoescape flag %}…{% endautoescape %}`. */
export interface AutoescapeNode extends Node {
  readonly kind: 'autoescape';
  readonly enabled: Expression;
  readonly body: readonly Statement[];
}

/** A block with names of its own that the parser makes (for instance around a statement that Jinja2 scopes). */
export interface ScopeNode extends Node {
  readonly kind: 'scope';
  readonly body: readonly Statement[];
}

export type DataFormat = 'yaml' | 'json' | 'text';

/** Salt: `{% load_yaml as name %}…{% endload %}`. */
export interface LoadNode extends Node {
  readonly kind: 'load';
  readonly format: DataFormat;
  readonly name: string;
  readonly body: readonly Statement[];
}

/** Salt: `{% import_yaml 'file' as name %}`; the file is rendered as a template first, as Salt does. */
export interface ImportDataNode extends Node {
  readonly kind: 'importData';
  readonly format: DataFormat;
  readonly template: Expression;
  readonly name: string;
  readonly withContext: boolean;
}

/** Salt: `{% profile as 'name' %}…{% endprofile %}`: the body, timed by the host. */
export interface ProfileNode extends Node {
  readonly kind: 'profile';
  readonly label: Expression;
  readonly body: readonly Statement[];
}

export interface TemplateNode {
  readonly name: string | undefined;
  readonly source: string;
  readonly body: readonly Statement[];
}
