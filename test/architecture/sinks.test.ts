/** Every way out of a process has a row in sinks.ts, and every row a way out. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEAK_SCENARIOS } from '../harness/leaks/scenario-names.ts';
import { methodsIn, PORTS, sinkFiles, WITHOUT_SECRETS } from './sink-calls.ts';
import { SINKS } from './sinks.ts';
import { sourceFiles, withoutComments } from './source-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const found = sinkFiles().map(({ path, calls }) => `${path}: ${calls.join(', ')}`);
const listed = SINKS.flatMap(({ files }) => Object.entries(files)).map(
  ([path, calls]) => `${path}: ${calls}`,
);

describe('ways out of a process', () => {
  it('have a row each, which says how no secret leaves', () => {
    expect(found.filter((sink) => !listed.includes(sink))).toEqual([]);
  });

  it('are still there where a row says so, and have one row', () => {
    expect(listed.filter((sink) => !found.includes(sink))).toEqual([]);
    expect(listed.filter((sink, at) => listed.indexOf(sink) !== at)).toEqual([]);
  });

  it('are found by what the ports offer: each of their methods lets bytes out, or is known not to', () => {
    const known = PORTS.flatMap(({ lettingOut, others }) => [...lettingOut, ...others]);
    const unknown = PORTS.flatMap(({ path }) =>
      methodsIn(withoutComments(readFileSync(join(ROOT, path), 'utf8')))
        .filter((method) => !known.includes(method))
        .map((method) => `${path}: ${method}`),
    );
    expect(unknown).toEqual([]);
    expect(known.filter((method, at) => known.indexOf(method) !== at)).toEqual([]);
  });

  it('are not looked for where there can be none, and nowhere else', () => {
    const paths = sourceFiles().map(({ path }) => path);
    expect(WITHOUT_SECRETS.filter(([prefix]) => !paths.some((path) => path.startsWith(prefix)))).toEqual([]);
  });

  it('are tried by the scenarios of the leak test, all of which some row needs', () => {
    const cited = SINKS.flatMap((row) => ('works' in row ? [...row.works, ...row.fails] : []));
    expect(LEAK_SCENARIOS.filter((scenario) => !cited.includes(scenario))).toEqual([]);
  });
});
