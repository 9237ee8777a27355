/** `unreadableText` is what stderr says of a record that cannot be read. Its key may be a stranger's choice. */
import type { UnreadableRecord } from '../../client/client-context.ts';
import { printableLine } from '../../core/printable.ts';

const NAMES: Readonly<Record<UnreadableRecord['kind'], string>> = {
  job: 'job record',
  row: 'the row of',
  return: 'a return of',
  facts: 'the record facts of',
  heartbeat: 'the record heartbeat of',
  enrollment: 'enrollment',
  'join token': 'join token',
};

/** `name`: what to call it instead. */
export function unreadableText({ kind, key, problem }: UnreadableRecord, name = NAMES[kind]): string {
  return printableLine(`${name} ${key} cannot be read and is left out: ${problem}`);
}
