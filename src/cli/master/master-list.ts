/** `zester master list` prints how the masters stand. */
import { listMasters } from '../../client/masters/list-masters.ts';
import type { MasterStanding } from '../../client/masters/master-standing.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { formatRfc3339 } from '../../wire/msgpack/time.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';

export const masterListCommand: Command = {
  words: ['master', 'list'],
  summary: 'list the masters: who is alive, what each owns and leads',
  examples: ['zester master list', 'zester master list --format json'],
  detail: [
    'STATE: alive; leaving (it hands over its jobs); stale (no heartbeat for 15 s); gone (no heartbeat, but it still owns',
    'jobs or a lease, which the others take over within a minute). With no master alive it fails. Stores that take no',
    'writes, or take long for them, are told below the table: jobs wait for them.',
  ].join('\n'),
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of masters', async (client) => {
      const masters = await listMasters(client);
      const format = formatOf(given);
      if (format !== 'text') context.out(await formatData(masters.map(record), format));
      else if (masters.length > 0) context.out(table(HEAD, masters.map(row)));
      if (format === 'text')
        for (const { id, problem } of masters)
          if (problem !== '') context.out(`${printableLine(id)}: ${printableLine(problem)}\n`);
      if (!masters.some(({ state }) => state === 'alive')) throw zesterError('CLI_NO_MASTER', {});
      return 0;
    }),
};

const HEAD = ['MASTER', 'STATE', 'HOST', 'PID', 'VERSION', 'SINCE', 'JOBS', 'LEASES'];

function row(master: MasterStanding): readonly string[] {
  const { id, state, host, pid, version, since, jobs, leases } = master;
  const start = since === undefined ? '-' : timeText(since);
  const shown = [host || '-', pid === undefined ? '-' : String(pid), version || '-', start, String(jobs)];
  return [id, state, ...shown, leases.join(', ') || '-'];
}

function record(master: MasterStanding): object {
  const { id, state, host, pid, version, since, jobs, leases, heartbeatAgeMs, problem } = master;
  return {
    master_id: id,
    state,
    host,
    pid,
    version,
    since: since === undefined ? undefined : formatRfc3339(since),
    jobs,
    leases,
    leaving: state === 'leaving',
    ...(problem === '' ? {} : { problem }),
    heartbeat_age_ms: heartbeatAgeMs === undefined ? undefined : Math.round(heartbeatAgeMs),
  };
}
