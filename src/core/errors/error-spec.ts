/** These types say what the registry holds of one error, and which exit codes there are (decision 9). */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/**
 * The statuses that an error has over HTTP: 4xx, the request is at fault, and sending it again as it is gives the same; 5xx,
 * it is not.
 */
export const HTTP_STATUSES = {
  400: 'the request is not in the form it must have',
  401: 'who asks has not proven to be who it says',
  403: 'it is not permitted',
  404: 'what it names is not there',
  405: 'the path takes other methods',
  409: 'it does not fit what there is already',
  413: 'it, or its answer, is too large',
  415: 'its body is of another kind',
  422: 'it is well formed, and cannot be done as it says',
  429: 'too many of them; later again',
  500: 'something on the side of the server is broken or set wrong',
  502: 'what answered further behind made no sense or refused',
  503: 'not now; the same request may be sent again',
  504: 'nobody answered in time',
} as const;

export type HttpStatus = keyof typeof HTTP_STATUSES;

export interface ErrorSpec {
  /** Exit code of a command that ends with this error. */
  readonly exit: ExitCode;
  /** Status of a request over HTTP that ends with it. */
  readonly http: HttpStatus;
  /** The message; `{name}` is filled in where the error is made. */
  readonly text: string;
  /** One sentence for the docs: when this happens. */
  readonly meaning: string;
  /** What to do next. Has placeholders as the text has. */
  readonly hint: string;
}
