/** `zester doctor` prints what the examination of a fleet and of this machine found. */
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import type { Command } from '../program/command.ts';
import { COLOR_OPTION, DATA_FORMAT_OPTION, formatOf, paintOf } from '../program/common-options.ts';
import { asCalled } from '../program/program-name.ts';
import { formatData } from '../terminal/format-data.ts';
import { waitsOf } from '../terminal/wait-for.ts';
import { renderFindings } from './render-findings.ts';
import { runDoctor } from './run-doctor.ts';

const EXIT_UNREACHABLE = 1;
const EXIT_FAIL = 2;

export const doctorCommand: Command = {
  words: ['doctor'],
  summary: 'examine NATS, the masters, the peels and this machine; say what to do',
  examples: ['zester doctor', 'zester doctor --format json'],
  detail: [
    'Each check has a verdict: ok; warn (works, but something that should protect it is missing); fail (broken or unsafe);',
    'unknown (could not be learned, and how to). Nothing is changed. How the servers are set is asked with sys.creds, where',
    'the auth directory has it. Exit codes: 0 no fail, 2 a fail, 1 NATS cannot be reached (this machine is examined anyway).',
  ].join('\n'),
  options: [DATA_FORMAT_OPTION, COLOR_OPTION, ...CONNECT_OPTIONS],
  async run(context, given) {
    const format = formatOf(given);
    const diagnosis = await waitsOf(context, { isText: format === 'text' })(
      { what: 'the checks to end', ifLeft: 'nothing was changed', next: 'run the command again' },
      runDoctor(context, given),
    );
    const { isReachable } = diagnosis;
    const findings = diagnosis.findings.map((finding) => ({
      ...finding,
      fix: asCalled(finding.fix, context.program),
    }));
    context.out(
      format === 'text'
        ? renderFindings(findings, paintOf(context, given))
        : await formatData(findings, format),
    );
    if (!isReachable) return EXIT_UNREACHABLE;
    return findings.some(({ verdict }) => verdict === 'fail') ? EXIT_FAIL : 0;
  },
};
