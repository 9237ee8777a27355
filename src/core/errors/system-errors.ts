import type { ErrorSpec } from './error-spec.ts';

export const SYSTEM_ERRORS = {} as const satisfies Record<string, ErrorSpec>;
