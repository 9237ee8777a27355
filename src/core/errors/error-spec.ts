/** These types say what the registry holds of one error, and which exit codes there are (decision 9). */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

export interface ErrorSpec {
  /** Exit code of a command that ends with this error. */
  readonly exit: ExitCode;
  /** The message; `{name}` is filled in where the error is made. */
  readonly text: string;
  /** One sentence for the docs: when this happens. */
  readonly meaning: string;
  /** What to do next. Has placeholders as the text has. */
  readonly hint: string;
}
