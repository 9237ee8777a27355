import { describe, expect, it } from 'vitest';
import { PEEL } from '../../../test/fixtures/go/samples.ts';
import { ENROLLMENT_STATES } from '../records/enroll/enrollment.ts';
import {
  ACCOUNT_RESTORED_TAG,
  adminEventSubject,
  beaconSubject,
  enrollmentEventTag,
  eventMatchKey,
  masterEventSubject,
  parseEventSubject,
  peelEventSubject,
} from './event-subjects.ts';
import { type EnrollmentId, type EventTag, parseEventTag } from './ids.ts';

const tag = parseEventTag('myco/deploy/finished') as EventTag;
const beacon = parseEventTag('service/nginx') as EventTag;

describe('event subjects', () => {
  it('carry origin and tag', () => {
    expect(parseEventSubject(peelEventSubject(PEEL, tag))).toEqual({ origin: PEEL, tag });
    expect(parseEventSubject(masterEventSubject(tag))).toEqual({ origin: '_master', tag });
    expect(parseEventSubject(adminEventSubject(tag))).toEqual({ origin: '_admin', tag });
    expect(parseEventSubject(beaconSubject(PEEL, beacon))).toEqual({
      origin: PEEL,
      tag: `beacon/${PEEL}/service/nginx`,
    });
    expect(peelEventSubject(PEEL, tag)).toBe(`zester.event.${PEEL}.send.myco.deploy.finished`);
    expect(eventMatchKey({ origin: '_master', tag })).toBe('_master/myco/deploy/finished');
  });

  it('the tags of masters are tags', () => {
    const id = `enr-${'a'.repeat(27)}` as EnrollmentId;
    for (const state of ENROLLMENT_STATES) {
      const made = enrollmentEventTag(state, id);
      expect(parseEventTag(made)).toBe(`enroll/${state}/${id}`);
      expect(parseEventSubject(masterEventSubject(made))).toEqual({ origin: '_master', tag: made });
    }
    expect(parseEventTag(ACCOUNT_RESTORED_TAG)).toBe('accounts/restored');
  });

  it.each([
    '',
    'zester.event',
    'zester.event.web-01',
    'zester.event.web-01.send',
    'zester.event.web-01.send.',
    'zester.event.web-01.send..a',
    'zester.event.web-01.send.a.',
    'zester.event.web-01.send.*',
    'zester.event.web-01.send.>',
    'zester.event.web-01.send.a b',
    'zester.event.web-01.beacon',
    'zester.event.web-01.beacon.',
    'zester.event.web-01.other.a',
    'zester.event.*.send.a',
    'zester.event._root.send.a',
    'zester.event._admin.a',
    'zester.event._admin.send',
    'zester.event._master',
    'zester.event._master.',
    'zester.event..send.a',
    'zester.events.web-01.send.a',
    `zester.event.web-01.send.${'a.'.repeat(40)}a`,
    `zester.event.web-01.send.${'a'.repeat(2_000)}`,
  ])('that a stranger made up mean nothing: %j', (subject) => {
    expect(parseEventSubject(subject)).toBeUndefined();
  });
});
