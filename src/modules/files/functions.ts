/** The execution functions `files.*` tell what this peel has of the files that masters publish. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional } from '../../core/params/params.ts';
import { decodeValue } from '../../wire/msgpack/msgpack-decode.ts';
import { type FilesDifference, filesDifferenceCodec } from '../../wire/records/fileserver.ts';
import { type ExecutionFunction, query } from '../contract.ts';
import { MIRRORED_SETS, type MirroredSet } from './mirrors-access.ts';

const diff = query({
  name: 'files.diff',
  summary: 'Answers with what differs between the published files and the mirror of this peel.',
  description: 'Reads and hashes every mirrored file; `zester files diff <peel>` asks for it.',
  params: {
    set: optional('string', {
      primary: true,
      doc: `Only this one: ${MIRRORED_SETS.join(' or ')}. Default: both.`,
    }),
  },
  examples: ['zester web-01 files.diff', 'zester web-01 files.diff settings'],
  async run({ set }, { mirrors }) {
    const differences: FilesDifference[] = [];
    for (const each of set === undefined ? MIRRORED_SETS : [setOf(set)])
      differences.push(await mirrors.difference(each));
    return {
      changed: false,
      // As a publisher answers.
      result: differences.map((each) => decodeValue(filesDifferenceCodec.encode(each))),
      details: { result: differences.map(text).join('\n') },
    };
  },
});

function setOf(given: string): MirroredSet {
  const set = MIRRORED_SETS.find((each) => each === given);
  if (set !== undefined) return set;
  const problems = `set must be ${MIRRORED_SETS.join(' or ')}, not ${given}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: 'files.diff', problems });
}

function text({ set, revision, mirrored, added, changed, removed, omitted, note }: FilesDifference): string {
  const lines = [
    ...added.map((path) => `  + ${path}`),
    ...changed.map((path) => `  ~ ${path}`),
    ...removed.map((path) => `  - ${path}`),
    ...(omitted > 0 ? [`  … and ${omitted} more`] : []),
    ...(note === '' ? [] : [`  ${note}`]),
  ];
  const head = `${set}: revision ${mirrored} of ${revision}`;
  return lines.length === 0 ? `${head}, no difference` : [`${head}:`, ...lines].join('\n');
}

export const FILES_FUNCTIONS: readonly ExecutionFunction[] = [diff];
