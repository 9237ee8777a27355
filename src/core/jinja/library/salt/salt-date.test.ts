/** Salt's times, in UTC; the values of the letters are recorded from Python's strftime. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';
import { civilTime, daysSinceEpoch } from './civil-time.ts';

const options = { host: { nowMs: () => 1_700_000_000_123 } };

describe('strftime', () => {
  it.each([
    ["'2002/12/25'|strftime('%y')", '02'],
    ["'1040814000'|strftime('%Y-%m-%d')", '2002-12-25'],
    ['1040814000|strftime', '2002-12-25'],
    ["1457456400|date_format('%d.%m.%Y %H:%M')", '08.03.2016 17:00'],
    ["'2002-12-25'|strftime('%A %a %B %b %d %e %j')", 'Wednesday Wed December Dec 25 25 359'],
    ["'2024-02-29T23:05:07'|strftime('%H:%M:%S %I %p %-d %-m %_H %k %l')", '23:05:07 11 PM 29 2 23 23 11'],
    ["'2021-01-03 00:00'|strftime('%U %W %V %G %g %u %w')", '01 00 53 2020 20 7 0'],
    ["'2024-12-30'|strftime('%G-W%V-%u')", '2025-W01-1'],
    [
      "'2002-12-25 12:34:56.5'|strftime('%f %s %c|%x|%X|%D|%F|%T|%R')",
      '500000 1040819696 Wed Dec 25 12:34:56 2002|12/25/02|12:34:56|12/25/02|2002-12-25|12:34:56|12:34',
    ],
    ["'2002-12-25T12:00:00+02:00'|strftime('%H:%M')", '10:00'],
    ["'2002-12-25T12:00:00Z'|strftime('%H%z%Z%%')", '12%'],
    ["'20021225'|strftime('%Y')", '1970'],
    ["1.5|strftime('%s.%f')", '1.500000'],
    ["-1|strftime('%F %T')", '1969-12-31 23:59:59'],
    ["none|strftime('%F %T')", '2023-11-14 22:13:20'],
    ["'now'|strftime('%F')", '2023-11-14'],
    ["'tomorrow'|strftime('%F %T')", '2023-11-15 00:00:00'],
    ["'yesterday'|strftime", '2023-11-13'],
    ["'2002-12-25'|strftime('%Q %')", '%Q %'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression, options)).toBe(expected);
  });

  it.each([
    ["'next week'|strftime", 'ValueError: Unable to parse next week'],
    ["'2002-02-30'|strftime", 'ValueError: Unable to parse 2002-02-30'],
    ["'2002-02-03 25:00'|strftime", 'ValueError: Unable to parse 2002-02-03 25:00'],
    ['[]|strftime', 'ValueError: Unable to parse []'],
    ['(10**15)|strftime', 'ValueError: Unable to parse 1000000000000000'],
    ["'nan'|float|strftime", 'ValueError: Unable to parse nan'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression, options)).toBe(expected);
  });

  it('says that the host has no clock', () => {
    expect(failure('none|strftime')).toBe(
      "RuntimeError: the filter 'strftime' needs the host's 'nowMs', which it does not provide",
    );
  });
});

describe('the calendar', () => {
  it('counts days both ways', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (days) => {
        const { year, month, day } = civilTime(days * 86_400 * 1e6);
        expect(daysSinceEpoch(year, month, day)).toBe(days);
      }),
    );
  });

  it('agrees with JavaScript’s', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const time = civilTime(date.getTime() * 1000);
          expect([time.year, time.month, time.day, time.hour, time.minute, time.second]).toEqual([
            date.getUTCFullYear(),
            date.getUTCMonth() + 1,
            date.getUTCDate(),
            date.getUTCHours(),
            date.getUTCMinutes(),
            date.getUTCSeconds(),
          ]);
        },
      ),
    );
  });
});
