import type { ErrorSpec } from './error-spec.ts';

export const TRUST_ERRORS = {} as const satisfies Record<string, ErrorSpec>;
