import { describe, expect, it } from 'vitest';
import { type ErrorSpec, HTTP_STATUSES } from './error-spec.ts';
import { ERRORS, type ErrorCode } from './registry.ts';
import { zesterError } from './zester-error.ts';

const all = Object.entries<ErrorSpec>(ERRORS);
const status = (code: ErrorCode): number => ERRORS[code].http;

describe('the HTTP status of an error', () => {
  it('is one of the table, for every error', () => {
    expect(all.filter(([, { http }]) => !(http in HTTP_STATUSES)).map(([code]) => code)).toEqual([]);
  });

  it('every status of the table is some error’s', () => {
    const used = new Set(all.map(([, { http }]) => String(http)));
    expect(Object.keys(HTTP_STATUSES).filter((each) => !used.has(each))).toEqual([]);
  });

  /** Names that say what kind of thing went wrong. */
  it.each([
    [/_UNKNOWN_(?:COMMAND|OPTION)$|_USAGE$|^TARGET_|_BAD_ARGUMENTS$/, [400]],
    [/_(?:JOB|PEEL)_UNKNOWN$|_NO_MATCH$/, [404]],
    [/_TOO_LARGE$/, [400, 413]],
    [/_DENIED$|_HIDDEN$|_FACTS_REFUSED$/, [403]],
    [/_IN_USE$|_TAKEN$|_EXISTS$/, [409]],
    [/_PENDING$|_BUSY$|_STOPPING$|_UNAVAILABLE$|_NOT_READY$|_NO_RESPONDERS$|_DISCONNECTED$/, [503]],
    [/_TIMEOUT$/, [504]],
    [/^SERVER_|^LOCK_|^DAEMON_/, [409, 500]],
  ])('%s is %j', (names, statuses) => {
    const meant = all.filter(([code]) => names.test(code));
    expect(meant.length).toBeGreaterThan(0);
    expect(meant.filter(([, { http }]) => !statuses.includes(http)).map(([code]) => code)).toEqual([]);
  });

  it('of a refusal is that of its reason; of one that is not known here, that of the refusal', () => {
    const refused = (reasonCode: string) =>
      zesterError('CLI_DISPATCH_REFUSED', { reason: 'r' }, { reasonCode }).httpStatus;
    expect(refused('MASTER_JID_TAKEN')).toBe(status('MASTER_JID_TAKEN'));
    for (const unknown of ['', 'MASTER_OF_TOMORROW', 'toString'])
      expect(refused(unknown)).toBe(status('CLI_DISPATCH_REFUSED'));
  });
});
