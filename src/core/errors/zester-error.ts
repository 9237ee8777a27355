/**
 * `ZesterError` is the one error class that reaches a person. It is made only from the registry (registry.ts), so that
 * every message has a stable code, an exit code and a hint, and the docs page can list them all.
 *
 * Programmer errors are not this: they are `assert` failures and keep their stack.
 */
import { LINE_CHARS_MAX, printableText } from '../printable.ts';
import type { HttpStatus } from './error-spec.ts';
import { ERRORS, type ErrorCode } from './registry.ts';

export type { ErrorCode } from './registry.ts';

/** The `{name}` placeholders of a message template, as an object type. What has a blank in it is an example, no name. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? unknown : { readonly [K in Name]: string | number }) &
      Placeholders<Rest>
  : unknown;

type ParamsOf<Code extends ErrorCode> = Placeholders<(typeof ERRORS)[Code]['text']> &
  Placeholders<(typeof ERRORS)[Code]['hint']>;

/** Where in a file a person wrote what is wrong. Lines and columns count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ZesterErrorOptions {
  readonly cause?: unknown;
  readonly at?: SourcePosition;
  /** The code with which another program refused: what the text quotes as words, for programs. May be unknown here. */
  readonly reasonCode?: string;
}

export class ZesterError extends Error {
  override readonly name = 'ZesterError';
  readonly code: ErrorCode;
  readonly params: Readonly<Record<string, string | number>>;
  readonly at: SourcePosition | undefined;
  readonly reasonCode: string | undefined;

  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, string | number>>,
    options: ZesterErrorOptions,
  ) {
    super(fill(ERRORS[code].text, params), options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.params = params;
    this.at = options.at;
    this.reasonCode = options.reasonCode || undefined;
  }

  get exitCode(): number {
    return ERRORS[this.code].exit;
  }

  /** Of the reason, where that is an error that is known here: it says more than that another program refused. */
  get httpStatus(): HttpStatus {
    const { reasonCode } = this;
    return ERRORS[isErrorCode(reasonCode) ? reasonCode : this.code].http;
  }

  get hint(): string {
    return fill(ERRORS[this.code].hint, this.params);
  }
}

/** Makes an error of the registry; the compiler checks that every placeholder of its text and its hint is given. */
export function zesterError<Code extends ErrorCode>(
  code: Code,
  params: ParamsOf<Code>,
  options: ZesterErrorOptions = {},
): ZesterError {
  return new ZesterError(code, params as Record<string, string | number>, options);
}

export function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERRORS, code);
}

export function isZesterError(error: unknown, code?: ErrorCode): error is ZesterError {
  return error instanceof ZesterError && (code === undefined || error.code === code);
}

/**
 * What, where, why, what next: the lines a person reads on a terminal. A message may quote what a machine said: nothing in
 * it steers the terminal, and its further lines stand deeper than ours, so that none passes for one.
 * `hint` may be given with commands as they can be typed.
 */
export function explainError(error: ZesterError, hint: string = error.hint): string {
  const { at } = error;
  const where =
    at === undefined ? '' : `${[at.file, at.line, at.column].filter((p) => p !== undefined).join(':')}: `;
  const why = causeLine(error.cause);
  return [
    `${where}${error.message} [${error.code}]`,
    ...(why ? [`  because: ${why}`] : []),
    `  next: ${hint}`,
  ]
    .map((part) => printableText(part, LINE_CHARS_MAX).replaceAll('\n', '\n    '))
    .join('\n');
}

function causeLine(cause: unknown): string | undefined {
  if (cause === undefined || cause === null) return undefined;
  return cause instanceof Error ? cause.message : String(cause);
}

function fill(template: string, params: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : String(value);
  });
}
