/**
 * `argumentsText` writes what a job was given as it could be typed: `nginx test=true`. For one line; the record has it
 * as data.
 */
import { plainData } from '../../core/plain-data.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { Job } from '../../wire/records/job.ts';

export function argumentsText({ stateId, args }: Pick<Job, 'stateId' | 'args'>): string {
  const named = Object.entries(args).map(([key, value]) => `${key}=${shellWord(valueText(value))}`);
  return [...(stateId === '' ? [] : [stateId]), ...named].join(' ');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(plainData(value));
}
