/** Show options say how the returns of a job or of direct requests are shown: format, colours, how much of states. */
import type { Jid } from '../../wire/names/ids.ts';
import { placeWords } from '../connect/find-place.ts';
import type { CliContext, GivenOptions, OptionSpec } from '../program/command.ts';
import { formatOf, paintOf } from '../program/common-options.ts';
import type { Format } from '../terminal/format-data.ts';
import { STATE_OUTPUTS, type StateLook, type StateOutput } from './format-state-run.ts';
import { glyphsFor } from './glyphs.ts';

export const STATE_OUTPUT_OPTION: OptionSpec = {
  name: 'state-output',
  value: STATE_OUTPUTS.join('|'),
  choices: STATE_OUTPUTS,
  doc: 'what to print of states: all, only changes and failures, or one line each; default full',
};

export interface ShowOptions {
  readonly format: Format;
  readonly look: StateLook;
  /** The command that comes back to a job. */
  readonly attachCommand: (jid: Jid) => string;
}

export function showOptionsOf(context: CliContext, given: GivenOptions): ShowOptions {
  const stateOutput = (given.text('state-output') ?? 'full') as StateOutput;
  return {
    format: formatOf(given),
    look: { paint: paintOf(context, given), glyphs: glyphsFor(context.env), stateOutput },
    attachCommand: (jid) => `${context.program} job attach ${jid}${placeWords(given)}`,
  };
}
