import { describe, expect, it } from 'vitest';
import { testRender } from '../../../../test/harness/states/compiled-files.ts';
import { memoryTree } from '../../../../test/harness/states/memory-tree.ts';
import { STATE_SCHEMAS } from '../../../modules/state-registry.ts';
import { compileStates } from './compile-states.ts';

function compiled(args: string) {
  const tree = memoryTree({ 'web.sls': `/x:\n  file.managed:\n    - contents: x\n${args}` });
  return compileStates(['web'], { tree, schemas: STATE_SCHEMAS, render: testRender });
}

describe('parameters that file.managed does not have', () => {
  it('are variables of its template, behind defaults and context, each with a warning', async () => {
    const { states, problems, warnings } = await compiled(
      '    - template: jinja\n    - port: 80\n    - hosts: [a, b]\n    - modee: 1\n    - defaults: {port: 81}\n',
    );
    expect(problems).toEqual([]);
    expect(states[0]?.values.defaults).toEqual({ port: 81, hosts: ['a', 'b'], modee: 1 });
    expect(warnings.map(({ message, hint, at }) => `${at.line}: ${message} | ${hint}`)).toEqual([
      '5: file.managed of /x: it has no parameter port, so port is a variable of its template | write it below `context:`',
      '6: file.managed of /x: it has no parameter hosts, so hosts is a variable of its template | write it below `context:`',
      '7: file.managed of /x: it has no parameter modee, so modee is a variable of its template | did you mean mode?',
    ]);
  });

  it.each([
    ['without a template', '    - port: 80\n', 'it has no parameter port'],
    ['with template: false', '    - template: false\n    - port: 80\n', 'it has no parameter port'],
    ['of Salt', '    - template: jinja\n    - skip_verify: true\n', 'it has no parameter skip_verify'],
    ['that a state has in Salt', '    - template: jinja\n    - check_cmd: x\n', 'check_cmd is not supported'],
  ])('are mistakes %s', async (_, args, message) => {
    const { problems } = await compiled(args);
    expect(problems.map((problem) => problem.message)).toEqual([`file.managed of /x: ${message}`]);
  });
});
