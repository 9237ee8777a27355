/** This is the table of rooms in ARCHITECTURE.md, made from the list that the tests enforce. */
import { ROOMS } from '../../test/architecture/rooms.ts';

export function roomsTable(): string {
  const rows = ROOMS.map(({ name, holds, mayImport }) => {
    const imports = mayImport.length === 0 ? 'nothing' : `\`${mayImport.join(' ')}\``;
    return `| \`src/${name}\` | ${holds} | ${imports} |`;
  });
  return ['| room | what is in it | may import |', '|---|---|---|', ...rows].join('\n');
}
