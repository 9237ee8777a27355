/** This file reads the recorded cases, and gives our engine's answer to one of them in the form of the record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment, type EnvironmentOptions } from '../../src/core/jinja/environment.ts';
import { TemplateError } from '../../src/core/jinja/errors.ts';
import type { SyntaxOptions } from '../../src/core/jinja/parse/syntax-options.ts';
import { mapLoader } from '../../src/core/jinja/render/loader.ts';
import type { Value } from '../../src/core/jinja/values/value.ts';
import { templateHost } from '../../src/core/templates/template-host.ts';
import { digest, hmac } from '../../src/runtime/digest.ts';
import { decodeRecordedValue } from './encoded-value.ts';
import { hostFunction, type MachineFacts } from './host-functions.ts';

export interface RecordedCase {
  /** `kind:of what/hash`. */
  readonly id: string;
  readonly t: string;
  /** Other templates by name. */
  readonly f?: Readonly<Record<string, string>>;
  /** Name of the context, or with what is different. */
  readonly c?: string | readonly [name: string, overrides: Readonly<Record<string, unknown>>];
  /** Options of the environment, by Jinja2's names. */
  readonly o?: Readonly<Record<string, unknown>>;
  readonly out?: string;
  readonly err?: RecordedError;
}

export interface RecordedError {
  readonly type: string;
  readonly message: string;
  readonly line?: number;
  readonly name?: string;
}

export type RecordedOutcome = { readonly out: string } | { readonly err: RecordedError };

interface StoredContext {
  readonly context: Readonly<Record<string, unknown>>;
  readonly mine?: unknown;
}

const MAIN = 'main';

export class RecordedCases {
  private readonly folder: string;
  private readonly contexts: Readonly<Record<string, StoredContext>>;

  constructor(folder: string) {
    this.folder = folder;
    this.contexts = JSON.parse(readFileSync(join(folder, 'contexts.json'), 'utf8'));
  }

  read(file: string): RecordedCase[] {
    return parseCases(readFileSync(join(this.folder, `${file}.jsonl`), 'utf8'));
  }

  run(recorded: RecordedCase): RecordedOutcome {
    try {
      const environment = new Environment(environmentOptions(recorded));
      return { out: environment.getTemplate(MAIN).render(this.context(recorded)).output };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return { err: { type: error.type, message: error.message, line: error.line, name: error.name } };
    }
  }

  private context({ c = 'std' }: RecordedCase): Record<string, Value> {
    const [name, overrides] = typeof c === 'string' ? [c, {}] : c;
    const stored = this.contexts[name];
    if (stored === undefined) throw new Error(`no context ${name}`);
    const context: Record<string, Value> = {};
    const facts = (): MachineFacts => ({
      pillar: context.pillar ?? null,
      grains: context.grains ?? null,
      mine: decodeRecordedValue(stored.mine ?? {}, () => null),
    });
    for (const [key, encoded] of Object.entries({ ...stored.context, ...overrides }))
      context[key] = decodeRecordedValue(encoded, (functionName) => hostFunction(functionName, facts));
    return context;
  }
}

export function parseCases(text: string): RecordedCase[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase);
}

const SYNTAX_NAMES: Readonly<Record<string, keyof SyntaxOptions>> = {
  block_start_string: 'blockStart',
  block_end_string: 'blockEnd',
  variable_start_string: 'variableStart',
  variable_end_string: 'variableEnd',
  comment_start_string: 'commentStart',
  comment_end_string: 'commentEnd',
  line_statement_prefix: 'lineStatementPrefix',
  line_comment_prefix: 'lineCommentPrefix',
  trim_blocks: 'trimBlocks',
  lstrip_blocks: 'lstripBlocks',
  keep_trailing_newline: 'keepTrailingNewline',
  newline_sequence: 'newlineSequence',
};

const UNDEFINED_NAMES = {
  strict: 'strict',
  lenient: 'default',
  chainable: 'chainable',
  debug: 'debug',
} as const;

function environmentOptions({ t, f = {}, o = {} }: RecordedCase): EnvironmentOptions {
  const { undefined: undefinedName = 'strict', autoescape = false, ...syntax } = o;
  return {
    loader: mapLoader(new Map([...Object.entries(f), [MAIN, t]])),
    undefinedType: UNDEFINED_NAMES[undefinedName as keyof typeof UNDEFINED_NAMES],
    autoescape: autoescape === true,
    syntax: Object.fromEntries(
      Object.entries(syntax).map(([name, value]) => [SYNTAX_NAMES[name] ?? name, value]),
    ),
    host: HOST,
  };
}

const HOST = templateHost({ digest, hmac, random: chance() });

/** Numbers that look random and are the same in each run. */
function chance(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
