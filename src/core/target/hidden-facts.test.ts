import { describe, expect, it } from 'vitest';
import { firstHiddenFact } from './hidden-facts.ts';
import { parseTarget } from './parse-target.ts';

const hidden = (expression: string, visible: readonly string[]) =>
  firstHiddenFact(parseTarget(expression, ''), visible)?.path;

describe('facts that a target may not look at', () => {
  it.each([
    ['web* or E@db or L@a,b or T@role:web', [], undefined],
    ['G@role:web', [], 'role'],
    ['I@role:web', [], 'role'],
    ['G@role:web', ['role'], undefined],
    ['G@os.family:debian', ['os'], undefined],
    ['G@os:debian', ['os.family'], 'os'],
    ['G@roles:web', ['role'], 'roles'],
    ['G@role.secret:x', ['role'], undefined],
    ['web* and not (G@role:web or G@token:a*)', ['role'], 'token'],
    ['not not G@token:a*', ['role'], 'token'],
  ])('%s, where %j may be seen: %s', (expression, visible, found) => {
    expect(hidden(expression, visible)).toBe(found);
  });
});
