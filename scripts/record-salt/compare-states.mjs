/**
 * This script compiles every state file of a directory with our compiler and tells where it differs from what Salt made of
 * it, for trials with formulas that are not ours to keep. It reads what `record_low_states.py --tree DIR` prints.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundled } from './bundled.mjs';

const SHOWN_MAX = 3;

const [directory, recordedFile] = process.argv.slice(2);
const [head, ...lines] = readFileSync(recordedFile, 'utf8').trimEnd().split('\n');
const { grains, pillar } = JSON.parse(head);
const tree = { files: filesOf(directory), grains, pillar };
const { compileCase, isThere } = await bundled('test/salt-states/our-low-state.ts');
const { compareCase } = await bundled('test/salt-states/compare.ts');

const counts = { salt: 0, same: 0, later: 0, laterSame: 0, refused: 0, refusedSame: 0 };
const reasons = new Map();
for (const recorded of lines.map((line) => JSON.parse(line))) {
  const differences = compareCase(recorded, await compileCase(tree, recorded.ask));
  const same = differences.length === 0 ? 1 : 0;
  const isLater = recorded.low?.some(({ state, fun }) => !isThere(`${state}.${fun}`)) ?? false;
  counts[recorded.low === undefined ? 'refused' : 'salt']++;
  counts[recorded.low === undefined ? 'refusedSame' : 'same'] += same;
  counts.later += isLater ? 1 : 0;
  counts.laterSame += isLater ? same : 0;
  if (same === 0) {
    console.log(`${recorded.ask}\n  ${differences.slice(0, SHOWN_MAX).join('\n  ')}`);
    const reason = differences[0].replace(
      /.*?(missing|too many|order of declaration|requisites|arguments|attributes|we refuse|Salt refuses).*/s,
      '$1',
    );
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
}
console.log(`of ${counts.salt} files that Salt compiles ${counts.same} come out the same`);
console.log(`of ${counts.later} with functions that are not there yet ${counts.laterSame}`);
console.log(`of ${counts.refused} files that Salt refuses we refuse ${counts.refusedSame}`);
console.log(`first difference: ${JSON.stringify(Object.fromEntries(reasons))}`);

function filesOf(root) {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    paths.map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return [relative(root, path), readFileSync(path, 'utf8')];
    }),
  );
}
