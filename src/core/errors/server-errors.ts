import type { ErrorSpec } from './error-spec.ts';

export const SERVER_ERRORS = {} as const satisfies Record<string, ErrorSpec>;
