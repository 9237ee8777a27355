import type { ErrorSpec } from './error-spec.ts';

export const CLI_ERRORS = {} as const satisfies Record<string, ErrorSpec>;
