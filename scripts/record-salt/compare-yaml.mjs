/**
 * This script reads the YAML documents of a file with our loader and tells where it differs from Salt's. Ends with 1 if
 * anywhere.
 */
import { readFileSync } from 'node:fs';
import { bundled } from './bundled.mjs';

const SHOWN_MAX = 20;

const [file] = process.argv.slice(2);
const { judgeLoad, ourReading, parseLoadCases, saltsReading } = await bundled('test/yaml/judge-load.ts');
const verdicts = parseLoadCases(readFileSync(file, 'utf8')).map((recorded) => ({
  recorded,
  verdict: judgeLoad(recorded),
}));
const unlisted = verdicts.filter(({ verdict }) => verdict === 'differs');
for (const { recorded } of unlisted.slice(0, SHOWN_MAX)) {
  console.log(`yaml ${JSON.stringify(recorded.text)}`);
  console.log(`  salt ${JSON.stringify(saltsReading(recorded))}`);
  console.log(`  ours ${JSON.stringify(ourReading(recorded.text))}`);
}
const listed = verdicts.filter(({ verdict }) => verdict !== 'same' && verdict !== 'differs');
console.log(
  `${verdicts.length} YAML documents, ${listed.length} with a listed difference, ${unlisted.length} with another`,
);
process.exitCode = unlisted.length === 0 ? 0 : 1;
