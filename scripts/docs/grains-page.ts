/** This page is the reference of facts under Salt's names, made from the table that gives them their values. */
import { ABSENT_GRAINS, GRAINS } from '../../src/core/states/template/grain-table.ts';
import { MADE } from './made.ts';

export function grainsPage(): string {
  const rows = [...GRAINS].map(([name, { doc }]) => `| \`${name}\` | ${doc} |`).sort();
  return `${[
    "# Facts by Salt's names",
    MADE,
    'A peel calls its facts `os.family`, `network.ipv4`, `memory.total` and so on; `facts.items` shows all of them. What Salt calls grains has the names below besides, with the values that Salt gives them: `os.family` is `debian`, `os_family` is `Debian`.',
    "They work wherever facts do: `grains.os_family`, `grains['os_family']`, `grains.get('os_family')` and `salt['grains.get']` in templates, `grains.get` on the command line, `G@os_family:Debian` in targets and in top files. Nothing is stored twice: they are worked out from the facts. A name is there only where the peel knows the value, and a custom fact of the same name wins.",
    ['| name | what it is |', '|---|---|', ...rows].join('\n'),
    'As a grain `os` is the name of the distribution; paths such as `os.family` and `os:family` still lead into the map of facts. In a target `os` alone stands for it, for `os.name` and for `os.platform`. Addresses of one interface are `G@ip4_interfaces:eth0:10.1.*`.',
    '## Not there',
    `These grains of Salt have no fact behind them yet. Set a custom fact of that name where your templates need one: ${ABSENT_GRAINS.map((name) => `\`${name}\``).join(', ')}.`,
  ].join('\n\n')}\n`;
}
