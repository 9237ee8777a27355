/** An API error is the form in which JetStream says no. */
export interface ApiError {
  readonly code: number;
  readonly err_code: number;
  readonly description: string;
}
