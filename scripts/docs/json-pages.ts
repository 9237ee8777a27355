/** These pages are the reference of JSON output: a schema for each command, and the list of them. */
import { type Command, commandName } from '../../src/cli/program/command.ts';
import { COMMANDS_WITH_JSON, ERROR_SCHEMA, schemaOf } from './json-schemas.ts';
import { MADE } from './made.ts';
import type { JsonSchema } from './state-file-schema.ts';

const JSON_DIR = 'docs/reference/json';

/** Path from the root of the repository → text. */
export function jsonPages(): readonly (readonly [path: string, text: string])[] {
  return [
    [`${JSON_DIR}/README.md`, indexPage()],
    [`${JSON_DIR}/error.json`, print(ERROR_SCHEMA)],
    ...COMMANDS_WITH_JSON.map(
      (command) => [`${JSON_DIR}/${fileOf(command)}`, print(schemaOf(command))] as const,
    ),
  ];
}

function fileOf({ words }: Command): string {
  return `${words.join('-') || 'execution'}.json`;
}

function indexPage(): string {
  const rows = COMMANDS_WITH_JSON.map(
    (command) => `| \`zester ${commandName(command)}\` | [${fileOf(command)}](${fileOf(command)}) |`,
  );
  return `${[
    '# JSON output',
    MADE,
    'What commands print with `--format json`, as JSON Schema. `npm test` checks the real output against these. Within a major version keys are added, and nothing is renamed, retyped or removed. `--format yaml`, where a command has it, prints the same data.',
    'Times are text as in RFC 3339, durations are milliseconds and their keys end in `_ms`. An integer beyond 53 bits is text. Bytes that are no UTF-8 are `{"base64": "…"}`. Characters that steer a terminal are written as escapes; the value is what it was.',
    `| command | schema |\n|---|---|\n${[...rows, '| an error, last line on stderr | [error.json](error.json) |'].join('\n')}`,
  ].join('\n\n')}\n`;
}

function print(schema: JsonSchema): string {
  return `${JSON.stringify(withoutEmpty(schema), undefined, 2)}\n`;
}

/** Descriptions that say nothing are left out. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => !(key === 'description' && each === ''));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutEmpty(each)]));
}
