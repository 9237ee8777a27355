import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JID, PEEL, REACTION_JID } from '../../../test/fixtures/go/samples.ts';
import {
  ANY,
  commandSubject,
  DISPATCH_SUBJECT,
  directAnswerSubject,
  jobAckSubject,
  jobCancelSubject,
  jobDispatchSubject,
  jobReturnSubject,
  jobScheduleSubject,
  jobStatusSubject,
  parseCommandSubject,
  parseDirectAnswerSubject,
  parseJobSubject,
  parsePeelTargetResolveSubject,
  peelTargetResolveSubject,
  QUEUES,
  subjectMatches,
  TARGET_RESOLVE_SUBJECT,
} from './subjects.ts';

const PARSERS = [
  parseJobSubject,
  parseCommandSubject,
  parseDirectAnswerSubject,
  parsePeelTargetResolveSubject,
];

describe('subjects', () => {
  it('are spelled as the contract says', () => {
    expect(commandSubject(PEEL)).toBe(`zester.cmd.${PEEL}`);
    expect(jobReturnSubject(JID, ANY)).toBe(`zester.job.${JID}.return.*`);
    expect(jobCancelSubject(ANY)).toBe('zester.job.*.cancel');
    expect(peelTargetResolveSubject(PEEL)).toBe(`zester.target.resolve.${PEEL}`);
    expect(directAnswerSubject(JID, PEEL)).toBe(`zester.direct.${JID}.${PEEL}`);
  });

  it('of requests, and the queue groups that share them, are those of the contract', () => {
    expect([DISPATCH_SUBJECT, QUEUES.masters]).toEqual(['zester.dispatch', 'zester.masters']);
    expect([TARGET_RESOLVE_SUBJECT, QUEUES.targetResolvers]).toEqual([
      'zester.target.resolve',
      'zester-target-resolvers',
    ]);
  });

  it('are parsed back to what they were built from', () => {
    for (const jid of [JID, REACTION_JID]) {
      expect(parseJobSubject(jobDispatchSubject(jid))).toEqual({ kind: 'dispatch', jid });
      expect(parseJobSubject(jobStatusSubject(jid))).toEqual({ kind: 'status', jid });
      expect(parseJobSubject(jobCancelSubject(jid))).toEqual({ kind: 'cancel', jid });
      expect(parseJobSubject(jobAckSubject(jid, PEEL))).toEqual({ kind: 'ack', jid, peel: PEEL });
      expect(parseJobSubject(jobReturnSubject(jid, PEEL))).toEqual({ kind: 'return', jid, peel: PEEL });
      expect(parseJobSubject(jobScheduleSubject(jid, PEEL))).toEqual({ kind: 'schedule', jid, peel: PEEL });
      expect(parseDirectAnswerSubject(directAnswerSubject(jid, PEEL))).toEqual({ jid, peel: PEEL });
    }
    expect(parseCommandSubject(commandSubject(PEEL))).toBe(PEEL);
    expect(parsePeelTargetResolveSubject(peelTargetResolveSubject(PEEL))).toBe(PEEL);
  });

  it.each([
    '',
    '.',
    'zester',
    'zester.job',
    'zester.job.',
    'zester.job..return.web-01',
    'zester.job.*.return.web-01',
    'zester.job.>.return.web-01',
    `zester.job.${JID}`,
    `zester.job.${JID}.`,
    `zester.job.${JID}.return`,
    `zester.job.${JID}.return.`,
    `zester.job.${JID}.return.*`,
    `zester.job.${JID}.return.>`,
    `zester.job.${JID}.return.web-01.more`,
    `zester.job.${JID}.return.web-01.`,
    `zester.job.${JID}.return.web 01`,
    `zester.job.${JID}.return._master`,
    `zester.job.${JID}.RETURN.web-01`,
    `zester.job.${JID}.cancel.web-01`,
    `zester.job.${JID}.cancel.`,
    `zester.job.${JID} .cancel`,
    ` zester.job.${JID}.cancel`,
    `Zester.job.${JID}.cancel`,
    `zester.job.${JID}.purge`,
    `x.zester.job.${JID}.cancel`,
    'zester.cmd.',
    'zester.cmd.*',
    'zester.cmd.>',
    'zester.cmd.web-01.more',
    'zester.cmd.web-01\n',
    'zester.target.resolve',
    'zester.target.resolve.',
    'zester.target.resolve.*',
    'zester.direct.*.web-01',
    `zester.direct.${JID}.*`,
    `zester.direct.${JID}`,
    `zester.direct.${JID}.web-01.more`,
    `zester.cmd.${'a'.repeat(5_000)}`,
  ])('that a stranger made up mean nothing: %j', (subject) => {
    for (const parse of PARSERS) expect(parse(subject)).toBeUndefined();
  });

  it('of any text never throw', () => {
    const piece = fc.constantFrom(
      'zester',
      'job',
      'cmd',
      'direct',
      JID,
      PEEL,
      'return',
      'ack',
      'cancel',
      '*',
      '>',
      '',
      ' ',
      'x',
    );
    const subject = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('.')),
    );
    fc.assert(
      fc.property(subject, (text) => {
        for (const parse of PARSERS) {
          if (parse(text) !== undefined) expect(text).not.toMatch(/[*> ]|\.\.|\.$/);
        }
      }),
    );
  });
});

describe('subjectMatches', () => {
  it.each([
    ['a.b', 'a.b', true],
    ['a.*', 'a.b', true],
    ['*.b', 'a.b', true],
    ['a.>', 'a.b.c', true],
    ['>', 'a', true],
    ['a.b', 'a.c', false],
    ['a.*', 'a', false],
    ['a.*', 'a.b.c', false],
    ['a.>', 'a', false],
    ['a', 'a.b', false],
    ['a.b.c', 'a.b', false],
    ['a.*.c', 'a.b.c', true],
    ['$KV.facts.*', '$KV.facts.*', true],
  ])('of %s and %s is %s', (pattern, subject, expected) => {
    expect(subjectMatches(pattern, subject)).toBe(expected);
  });
});
