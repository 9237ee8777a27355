/**
 * This list has the pages, and parts of pages, that are made from the code. `npm run docs` writes them; a test compares
 * them with what is there.
 */
import { COMMANDS } from '../../src/cli/all-commands.ts';
import { execCommand } from '../../src/cli/exec/exec-command.ts';
import { helpForCommand } from '../../src/cli/help.ts';
import { commandName } from '../../src/cli/program/command.ts';
import { HTTP_STATUSES } from '../../src/core/errors/error-spec.ts';
import { ERRORS } from '../../src/core/errors/registry.ts';
import { STATE_MODULES } from '../../src/modules/state-registry.ts';
import { withBlock } from './generated-block.ts';
import { grainsPage } from './grains-page.ts';
import { jsonPages } from './json-pages.ts';
import { MADE } from './made.ts';
import { roomsTable } from './rooms-table.ts';
import { statePages } from './state-pages.ts';
import { wirePage } from './wire-page.ts';

/** Path from the root of the repository → text. `read` gives a page as it is, of which only a part is made. */
export function generatedPages(read: (path: string) => string): ReadonlyMap<string, string> {
  return new Map([
    ['ARCHITECTURE.md', withBlock(read('ARCHITECTURE.md'), roomsTable())],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/commands.md', commandsPage()],
    ['docs/reference/wire.md', wirePage()],
    ['docs/reference/grains.md', grainsPage()],
    ...jsonPages(),
    ...statePages(STATE_MODULES.all),
  ]);
}

function errorsPage(): string {
  const entries = Object.entries(ERRORS).map(([code, spec]) =>
    [
      `### ${code}`,
      '',
      `\`${spec.text.replaceAll('\n', ' ')}\``,
      '',
      spec.meaning,
      '',
      `Next: ${spec.hint}. Exit code ${spec.exit}; over HTTP ${spec.http}.`,
    ].join('\n'),
  );
  const statuses = Object.entries(HTTP_STATUSES).map(([status, meaning]) => `- ${status}: ${meaning}`);
  return page(
    '# Errors',
    MADE,
    'Every error that Zester tells a person has a code, which stays the same. `{words}` in braces are filled in.',
    `Over HTTP an error has one of these statuses:\n\n${statuses.join('\n')}`,
    ...entries,
  );
}

function commandsPage(): string {
  const entries = [execCommand, ...COMMANDS].map((command) =>
    [
      `## zester ${commandName(command)}`,
      '',
      '```text',
      helpForCommand(command, 'zester').trimEnd(),
      '```',
    ].join('\n'),
  );
  return page('# Commands', MADE, ...entries);
}

function page(...parts: string[]): string {
  return `${parts.join('\n\n')}\n`;
}
