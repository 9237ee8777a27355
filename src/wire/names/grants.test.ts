import { describe, expect, it } from 'vitest';
import { WireError } from '../msgpack/wire-error.ts';
import {
  ADMIN_GRANT,
  AGENT_EXPORTS,
  MASTER_GRANT,
  PEEL_TEMPLATE_NAME,
  type Permissions,
  peelGrant,
} from './grants.ts';
import { MATRIX_PEEL, ROLE_MATRIX } from './role-matrix.ts';
import { subjectMatches } from './subjects.ts';

const allows = (patterns: readonly string[], subject: string) =>
  patterns.some((pattern) => subjectMatches(pattern, subject));

const accessOf = (grant: Permissions, subject: string) => ({
  pub: allows(grant.pub, subject),
  sub: allows(grant.sub, subject),
});

describe('the grants', () => {
  it('give every role what the matrix says', () => {
    const granted = ROLE_MATRIX.map(({ subject, doc }) => ({
      subject,
      doc,
      master: accessOf(MASTER_GRANT, subject),
      admin: accessOf(ADMIN_GRANT, subject),
      peel: accessOf(peelGrant(MATRIX_PEEL), subject),
    }));
    expect(granted).toEqual(ROLE_MATRIX);
  });

  it('name no subject twice in the matrix', () => {
    const subjects = ROLE_MATRIX.map((row) => row.subject);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  it('have a row in the matrix for every line of a peel grant', () => {
    const grant = peelGrant(MATRIX_PEEL);
    const idle = [
      ...grant.pub.filter((p) => !ROLE_MATRIX.some((row) => row.peel.pub && subjectMatches(p, row.subject))),
      ...grant.sub.filter((p) => !ROLE_MATRIX.some((row) => row.peel.sub && subjectMatches(p, row.subject))),
    ];
    expect(idle).toEqual([]);
  });

  it('are the same list for the template and for a name', () => {
    const named = peelGrant('web-01');
    const template = peelGrant(PEEL_TEMPLATE_NAME);
    const filled = (list: readonly string[]) => list.map((s) => s.replace(PEEL_TEMPLATE_NAME, 'web-01'));
    expect({ pub: filled(template.pub), sub: filled(template.sub) }).toEqual(named);
  });

  it.each(['*', '>', 'a.>', '', 'a b', 'web-01.example.com', '_master', '-x', '{{tag(x)}}', 'a'.repeat(129)])(
    'refuse the peel name %j',
    (name) => expect(() => peelGrant(name)).toThrow(WireError),
  );

  it('let a peel create no consumer, list nothing and read no body-addressed bucket', () => {
    const grant = peelGrant('web-01');
    const api = grant.pub.filter((subject) => subject.startsWith('$JS.'));
    expect(api.every((subject) => subject.startsWith('$JS.API.DIRECT.GET.'))).toBe(true);
    expect(api.filter((subject) => subject.split('.').length === 5)).toEqual([
      '$JS.API.DIRECT.GET.OBJ_file-blobs',
    ]);
  });

  it('cross the accounts: every subject a peel is granted is exported, except its inbox', () => {
    const grant = peelGrant('web-01');
    const exported = (kind: string, subject: string) =>
      AGENT_EXPORTS.some(
        (line) => line.kind === kind && subjectMatches(line.subject, subject.replaceAll('*', 'x')),
      );
    expect(grant.pub.filter((subject) => !exported('service', subject))).toEqual([]);
    expect(grant.sub.filter((subject) => !exported('stream', subject))).toEqual(['_INBOX.web-01.>']);
  });

  it('export nothing that no peel is granted', () => {
    const grant = peelGrant('web-01');
    const used = [...grant.pub, ...grant.sub];
    const idle = AGENT_EXPORTS.filter(
      (line) => !used.some((subject) => subjectMatches(line.subject, subject)),
    );
    expect(idle).toEqual([]);
  });
});
