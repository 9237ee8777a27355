import { describe, expect, it } from 'vitest';
import { sketchStates } from '../../../../test/harness/states/random-states.ts';
import { stateGraph } from './graph.ts';
import { graphData, graphDot, graphText } from './show-graph.ts';

const { levels } = stateGraph(
  sketchStates({
    'pkg.installed:nginx': { module: 'pkg.installed' },
    'file.managed:/etc/"x"\\n': { require: ['pkg.installed:nginx'], order: 3 },
    'service.running:nginx': { watch: ['file.managed:/etc/"x"\\n'] },
    'cmd.run:drain': { prereq: ['service.running:nginx'] },
  }),
);

describe('the graph of states', () => {
  it('as text', () => {
    expect(graphText(levels)).toBe(
      [
        'level 0',
        '  cmd.run:drain  (web/init.zy:4:1)',
        '  pkg.installed:nginx  (web/init.zy:1:1)',
        'level 1',
        '  file.managed:/etc/"x"\\n  (web/init.zy:2:1)',
        '    after pkg.installed:nginx (require)',
        'level 2',
        '  service.running:nginx  (web/init.zy:3:1)',
        '    after cmd.run:drain (prereq)',
        '    after file.managed:/etc/"x"\\n (watch)',
      ].join('\n'),
    );
    expect(graphText([])).toBe('');
  });

  it('as data', () => {
    const data = graphData(levels);
    expect(data.levels).toEqual([
      ['cmd.run:drain', 'pkg.installed:nginx'],
      ['file.managed:/etc/"x"\\n'],
      ['service.running:nginx'],
    ]);
    expect(data.edges).toContainEqual({
      before: 'cmd.run:drain',
      after: 'service.running:nginx',
      kind: 'prereq',
    });
    expect(data.states).toContainEqual({
      name: 'pkg.installed:nginx',
      module: 'pkg.installed',
      id: 'pkg.installed:nginx',
      sls: 'web',
      at: 'web/init.zy:1:1',
      level: 0,
      order: 0,
    });
  });

  it('as DOT, with names that hold quotes and backslashes', () => {
    expect(graphDot(levels).split('\n')).toEqual([
      'digraph states {',
      '  rankdir=LR;',
      '  node [shape=box];',
      '  { rank=same; "cmd.run:drain"; "pkg.installed:nginx"; }',
      '  { rank=same; "file.managed:/etc/\\"x\\"\\\\n"; }',
      '  { rank=same; "service.running:nginx"; }',
      '  "cmd.run:drain" -> "service.running:nginx" [label="prereq"];',
      '  "pkg.installed:nginx" -> "file.managed:/etc/\\"x\\"\\\\n";',
      '  "file.managed:/etc/\\"x\\"\\\\n" -> "service.running:nginx" [label="watch"];',
      '}',
    ]);
  });
});
