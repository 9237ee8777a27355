/** `web/init.zy:3:5`: where something was written, as editors take it. */
import type { SourcePosition } from '../errors/zester-error.ts';

export function printPlace({ file, line, column }: SourcePosition): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
