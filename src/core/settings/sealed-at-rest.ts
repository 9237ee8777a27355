/**
 * A value is sealed at rest when the source tree holds it as `ENC[fleet,<generation>,<base64>]`: anybody who has the
 * public half of the fleet key can make one, only masters open it (trust/fleet-seal.ts). This file knows the form, and
 * how long a secret must be. Pure.
 */
/** A shorter value would be found in every text that is redacted. Blanks around it do not count. */
export const SECRET_CHARS_MIN = 4;

const FORM = /^ENC\[fleet,([1-9][0-9]{0,8}),([A-Za-z0-9+/]+={0,2})\]$/;

export interface SealedAtRest {
  /** Of the fleet key that it was sealed to. */
  readonly generation: number;
  readonly base64: string;
}

/** Whether a text is meant to be sealed: one that is, or a damaged one. Never a password that somebody would choose. */
export function looksSealedAtRest(text: string): boolean {
  return text.startsWith('ENC[fleet');
}

export function parseSealedAtRest(text: string): SealedAtRest | undefined {
  const [, generation, base64] = FORM.exec(text) ?? [];
  return generation === undefined || base64 === undefined
    ? undefined
    : { generation: Number(generation), base64 };
}

export function sealedAtRestText({ generation, base64 }: SealedAtRest): string {
  return `ENC[fleet,${generation},${base64}]`;
}
