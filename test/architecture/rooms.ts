/**
 * This list has the rooms of the house: what is in each, and which others it may import. rooms.test.ts enforces it, and
 * the table in ARCHITECTURE.md is made from it. A new room is one more entry here and `npm run docs`.
 */
export interface Room {
  /** Its folder under src/. */
  readonly name: string;
  /** One line for the table, in Markdown. */
  readonly holds: string;
  /** Our own rooms that it may import, besides itself. */
  readonly mayImport: readonly string[];
}

const BASE = ['wire', 'core', 'runtime'];

/** From the ground up: a room imports only rooms above it in this list. */
export const ROOMS: readonly Room[] = [
  {
    name: 'wire',
    holds:
      'the contract: every record, subject, bucket, stream, consumer, grant. Nothing else spells their names',
    mayImport: [],
  },
  {
    name: 'core',
    holds: 'decisions and the error registry. No `node:`, no I/O, no clock, no chance',
    mayImport: ['wire'],
  },
  {
    name: 'runtime',
    holds: '`Clock`, `Random`, ids, logs: those of the machine and virtual ones',
    mayImport: ['core'],
  },
  {
    name: 'bus',
    holds:
      'the Bus port: messages, key-value, streams, objects, leases; `bus/nats` and `bus/memory` behind one seam',
    mayImport: BASE,
  },
  {
    name: 'system',
    holds:
      'the System port: files, directory watches, processes, accounts, clock skew; `system/linux` and `system/memory`',
    mayImport: BASE,
  },
  {
    name: 'trust',
    holds: 'nkeys, JWTs, credentials, command proofs, the CA (`trust/x509`)',
    mayImport: BASE,
  },
  {
    name: 'accounts',
    holds:
      'the account documents of the NATS servers: what they must say, the record of them, pushed to every server',
    mayImport: [...BASE, 'bus', 'trust'],
  },
  {
    name: 'modules',
    holds: 'what a peel can do: one folder per family of functions and states',
    mayImport: [...BASE, 'system'],
  },
  {
    name: 'process',
    holds:
      'our own processes on this machine: the lock of a directory, the process table, starting and ending a program',
    mayImport: BASE,
  },
  {
    name: 'nats-server',
    holds: 'the nats-server that `zester up` runs: find or download it, start it, supervise it',
    mayImport: [...BASE, 'bus', 'process'],
  },
  {
    name: 'daemon',
    holds: 'what both daemons serve over HTTP: `/healthz`, `/readyz`, `/metrics`',
    mayImport: [...BASE, 'bus'],
  },
  {
    name: 'mirror',
    holds: 'a published file set as a directory: trees that are whole, swapped at once, pinned by who reads',
    mayImport: [...BASE, 'bus', 'system'],
  },
  {
    name: 'peel',
    holds: 'the agent `zester-peel`: takes commands in, runs them, returns results, tells facts',
    mayImport: [...BASE, 'bus', 'system', 'trust', 'modules', 'daemon', 'process', 'mirror'],
  },
  {
    name: 'master',
    holds:
      'the control plane `zester-master`: dispatches jobs, watches them, writes rows, publishes files, takes over from dead masters',
    // Not `client`: decision 115.
    mayImport: [...BASE, 'bus', 'system', 'trust', 'accounts', 'mirror', 'daemon', 'process'],
  },
  {
    name: 'client',
    holds:
      'whatever asks a fleet for something over the bus: targets, jobs, direct calls, peels, masters, the examination. Answers with values and typed events, prints nothing',
    mayImport: [...BASE, 'bus', 'trust', 'accounts'],
  },
  {
    name: 'local-fleet',
    holds:
      'the fleet of `zester up` in one directory: makes keys, starts and supervises its processes, ends them',
    mayImport: [...BASE, 'bus', 'trust', 'accounts', 'process', 'nats-server', 'client'],
  },
  {
    name: 'authoring',
    holds:
      'what `zester render` and `zester lint` do: state files and templates without a fleet. The program `zester` does not load it',
    mayImport: [...BASE, 'system', 'modules', 'peel'],
  },
  {
    name: 'cli',
    holds: 'the program `zester`: commands as words and output, a folder for each noun. Nothing imports it',
    mayImport: [...BASE, 'bus', 'system', 'trust', 'client', 'local-fleet', 'authoring'],
  },
  {
    name: 'sim',
    holds:
      'the simulator behind `zester sim`: real masters and peels on memory ports, in virtual time, with faults and invariants',
    mayImport: [...BASE, 'bus', 'system', 'trust', 'modules', 'peel', 'master', 'client'],
  },
];
