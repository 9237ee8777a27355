/**
 * This table says of every file through which bytes leave a process (sink-calls.ts) why no secret leaves with them: which
 * scenarios of the leak test bring a secret up to it, where it works and where it fails, or why none can get there.
 *
 * sinks.test.ts holds the table against the code. A new way out needs a row, and a row without its way out is to go.
 */
import type { LeakScenario } from '../harness/leaks/scenario-names.ts';

export type SinkRow = {
  /** By path, what it calls: as sink-calls.ts names it. */
  readonly files: Readonly<Record<string, string>>;
} & (
  | {
      /** The scenarios that bring a secret up to it. */
      readonly works: readonly [LeakScenario, ...LeakScenario[]];
      readonly fails: readonly [LeakScenario, ...LeakScenario[]];
    }
  /** A port or an adapter: it hands on what its callers, who have rows of their own, give it. */
  | { readonly handsOn: string }
  /** Why no secret can get there. */
  | { readonly never: string }
);

const FLEET_RECORDS_FAIL = ['commands fail', 'files cannot be written'] as const;

export const SINKS: readonly SinkRow[] = [
  // --- the ground: ports, adapters, the log ---------------------------------------------------------------------------
  {
    files: {
      'src/bus/bus.ts': 'publish',
      'src/bus/kv/fenced-write.ts': 'create, update',
      'src/bus/kv/table.ts': 'create, put, update',
      'src/bus/nats/nats-connection.ts': 'connect, headers, publish',
      'src/bus/requests.ts': 'publish',
    },
    handsOn: 'the bus: subjects, keys and payloads are those of its callers',
  },
  {
    files: {
      'src/system/atomic-write.ts': 'rename',
      'src/system/files-on-calls.ts': 'makeDirectory, rename, symlink',
      'src/system/linux/linux-file-calls.ts': 'fs, link, mkdir, opendir, rename, symlink',
      'src/system/linux/linux-process-calls.ts': 'execFile, spawn',
      'src/process/run-program.ts': 'spawn',
    },
    handsOn: 'the machine: paths, contents, arguments, environment and input are those of its callers',
  },
  {
    files: { 'src/runtime/log.ts': 'jsonLog' },
    handsOn: 'each line, redacted, to the writer of the program, which has a row',
  },
  {
    files: {
      'src/bus/assets.ts': 'tryApi',
      'src/bus/inspect-assets.ts': 'tryApi',
      'src/bus/stream/read-store.ts': 'tryApi',
      'src/master/returns/late-returns.ts': 'tryApi',
      'src/master/guard/basket-guard.ts': 'api',
      'src/master/guard/peel-queues.ts': 'api, appendAt',
      'src/master/store/store-times.ts': 'append, put',
      'src/bus/stream/store-clock.ts': 'api',
      'src/client/doctor/examine-fleet.ts': 'api, tryApi',
    },
    never: 'asks JetStream about streams and declares them: names and bounds of wire/',
  },
  {
    files: {
      'src/bus/collect-answers.ts': 'publish',
      'src/bus/stream/consume.ts': 'publish',
    },
    never:
      'sends what JetStream wants to hear: an empty question, how many messages to deliver, that one is done',
  },
  {
    files: {
      'src/bus/file-set/publish-file-set.ts': 'create, put, update',
      'src/mirror/linked-trees.ts': 'makeDirectory, rename, symlink',
      'src/mirror/stage-tree.ts': 'hardLink, makeDirectory, writeAtomic',
      'src/mirror/tree-in-place.ts': 'makeDirectory, writeAtomic',
      'src/mirror/update-directory.ts': 'makeDirectory, writeAtomic',
    },
    // Settings go there with placeholders, and as they are only sealed, or back into the source tree of another master.
    works: ['settings are published', 'a secret is rotated'],
    fails: ['settings that give a secret away are refused', 'a peel starts without a bus'],
  },
  {
    files: { 'src/bus/kv/lease.ts': 'create, update' },
    never: 'writes who holds a lease and until when',
  },
  {
    files: {
      'src/trust/key-files.ts': 'linkSync, mkdirSync, mkdtempSync, openSync, renameSync, writeFileSync',
    },
    never: 'writes keys, credentials and certificates, before there is a fleet or a setting',
  },
  {
    files: { 'src/process/directory-lock.ts': 'ftruncateSync, openSync, spawn, writeSync' },
    never: 'writes pid and start of the program into the lock, and starts flock on it',
  },
  {
    files: { 'src/system/linux/linux-process-record.ts': 'writeFileSync' },
    // Not the command line: it has boot id, pid, start, and a count of forks.
    works: ['commands run'],
    fails: ['a peel is killed in mid-run'],
  },
  {
    files: { 'src/system/linux/linux-clock-skew.ts': 'run' },
    never: 'asks timedatectl and chronyc, with fixed words',
  },

  // --- the peel -------------------------------------------------------------------------------------------------------
  {
    files: { 'src/peel/main.ts': 'jsonLog, process.stderr, process.stdout' },
    works: ['files are written, and their diffs told', 'states run without a fleet'],
    fails: ['states run without a fleet', 'a peel starts without a bus'],
  },
  {
    files: {
      'src/peel/returns/outbox.ts': 'append',
      'src/peel/intake/job-book.ts': 'writeAtomic',
    },
    works: [
      'files are written, and their diffs told',
      'commands run',
      'templates spell secrets in other ways',
      'names and ids are secrets',
      'more is printed than is kept',
      'a run is dry',
      'a run is reverted',
      'settings are asked for',
    ],
    fails: [
      'files cannot be written',
      'commands fail',
      'templates and the YAML they make are wrong',
      'a peel is killed in mid-run',
    ],
  },
  {
    files: { 'src/peel/run/direct-runner.ts': 'publish' },
    works: ['a function is called directly'],
    fails: ['a function is called directly'],
  },
  {
    files: {
      'src/peel/facts/facts-loop.ts': 'put',
      'src/peel/facts/custom-facts.ts': 'makeDirectory, writeAtomic',
    },
    works: ['facts are set'],
    fails: ['facts are set'],
  },
  {
    files: { 'src/peel/facts/heartbeat-loop.ts': 'put' },
    works: ['settings are published', 'a secret is rotated'],
    fails: ['templates and the YAML they make are wrong'],
  },
  {
    files: {
      'src/peel/intake/key-ring.ts': 'writeAtomic',
      'src/peel/intake/remembered-cancels.ts': 'writeAtomic',
      'src/peel/data-dir.ts': 'makeDirectory',
    },
    never: 'writes public keys, ids of jobs and directories with fixed names',
  },
  {
    files: { 'src/peel/settings/settings-snapshot.ts': 'writeAtomic' },
    works: ['settings are published', 'a secret is rotated'],
    fails: ['a peel starts without a bus', 'a peel is killed in mid-run'],
  },
  {
    files: { 'src/peel/facts/own-words.ts': 'writeAtomic' },
    never: 'writes the record as masters made it: tags, which are no secret, and facts sealed to the peel',
  },
  {
    files: { 'src/peel/run/local-call.ts': 'makeDirectory' },
    never: 'makes the data directory that the command line names',
  },
  {
    files: { 'src/peel/run/leftover-commands.ts': 'run' },
    never: 'adds the path of a record, made of the id of the job, to what a function starts',
  },
  {
    files: { 'src/peel/states/guards.ts': 'run' },
    works: ['commands run'],
    fails: ['commands fail'],
  },
  {
    files: { 'src/peel/undo/sealed-folder.ts': 'makeDirectory, writeAtomic' },
    // Sealed under the key of the journal: what a file had before may be a secret.
    works: ['files are written, and their diffs told', 'a run is reverted', 'a secret is rotated'],
    fails: ['files cannot be written', 'a peel is killed in mid-run'],
  },
  {
    files: { 'src/peel/undo/undo-key-file.ts': 'hardLink, writeAtomic' },
    never: 'writes the random key of the undo journal',
  },
  {
    files: { 'src/daemon/last-words.ts': 'process.stderr' },
    works: ['a peel crashes', 'a master crashes'],
    fails: ['a peel crashes', 'a master crashes', 'states run without a fleet'],
  },
  {
    files: { 'src/daemon/health-server.ts': 'createServer' },
    works: ['health pages are read'],
    fails: ['health pages are read'],
  },
  {
    files: { 'src/daemon/serve-daemon.ts': 'renameSync, writeFileSync' },
    never: 'writes the address at which health is served',
  },

  // --- what a peel can do -----------------------------------------------------------------------------------------------
  {
    files: { 'src/system/file-steps.ts': 'makeDirectory, symlink, writeAtomic' },
    // The one place where a secret may end: the file that a state was told to write.
    works: ['files are written, and their diffs told', 'a run is reverted'],
    fails: ['files cannot be written'],
  },
  {
    files: { 'src/modules/cmd/run-command-line.ts': 'run' },
    works: ['commands run', 'more is printed than is kept'],
    fails: ['commands fail'],
  },
  {
    files: { 'src/modules/cmd/script-state.ts': 'makeDirectory, writeAtomic' },
    works: ['commands run'],
    fails: ['commands fail', 'a peel is killed in mid-run'],
  },
  {
    files: { 'src/modules/disk/disk-usage.ts': 'run' },
    never: 'starts df, with fixed words',
  },

  {
    files: { 'src/accounts/settle-accounts.ts': 'createOrRead, updateOrRead' },
    never: 'stores and pushes account documents: public keys, grants and times; seeds only sign them',
  },

  // --- the master -------------------------------------------------------------------------------------------------------
  {
    files: { 'src/master/main.ts': 'jsonLog, makeDirectory, process.stderr, process.stdout' },
    works: ['settings are published', 'a secret is rotated'],
    fails: ['settings that give a secret away are refused'],
  },
  {
    files: {
      'src/master/dispatch/claim-job.ts': 'createOrRead',
      'src/master/dispatch/command-sender.ts': 'publish',
      'src/master/dispatch/dispatch-job.ts': 'append',
      'src/master/dispatch/dispatch-service.ts': 'publish',
      'src/master/dispatch/mark-running.ts': 'updateOrRead',
      'src/master/takeover/adopt-job.ts': 'updateOrRead',
    },
    never:
      'sends and stores what an operator typed: function, target, arguments. A secret that is typed there is stored as it is, and the guide says so',
  },
  {
    files: {
      'src/master/returns/persist-row.ts': 'create, update',
      'src/master/returns/recounts.ts': 'update',
      'src/master/watch/end-job.ts': 'append, updateOrRead',
    },
    works: ['files are written, and their diffs told', 'commands run'],
    fails: [...FLEET_RECORDS_FAIL, 'a peel is killed in mid-run'],
  },
  {
    files: {
      'src/master/dispatch/active-index.ts': 'create, put',
      'src/master/guard/ban-book.ts': 'create, update',
      'src/master/keys/public-keys.ts': 'create, update',
      'src/master/store/store-watch.ts': 'create, update',
      'src/master/takeover/master-heartbeat.ts': 'put',
    },
    never: 'writes ids of masters and jobs, times, and public keys',
  },
  {
    files: {
      'src/master/keys/agents-key-keeper.ts': 'create, update',
      'src/master/keys/agents-key-service.ts': 'createOrRead',
      'src/master/keys/fleet-key-keeper.ts': 'create, update',
      'src/master/keys/fleet-key-service.ts': 'createOrRead',
      'src/master/keys/key-questions.ts': 'publish',
    },
    never: 'writes public keys, times and who asked; a seed only sealed (trust/fleet-seed.ts)',
  },
  {
    files: { 'src/master/keys/reseal-settings.ts': 'update' },
    never: 'writes settings files sealed to the fleet key, and nothing where one does not open',
  },
  {
    files: { 'src/master/enroll/peel-tags.ts': 'create, update' },
    // Tags are no secret, facts of operators are sealed to the peel.
    works: ['a local fleet is up'],
    fails: ['a local fleet is up'],
  },
  {
    files: { 'src/master/secrets/seal-secrets.ts': 'create, update' },
    works: ['settings are published', 'a secret is rotated', 'secrets are set and listed'],
    fails: ['settings that give a secret away are refused'],
  },
  {
    files: { 'src/master/secrets/secret-service.ts': 'publish' },
    works: ['secrets are set and listed'],
    fails: ['secrets are set and listed', 'settings that give a secret away are refused'],
  },
  {
    files: {
      'src/master/operator-questions.ts': 'publish',
      'src/master/publish/publish-service.ts': 'request',
      'src/master/publish/published-set.ts': 'publish',
      'src/master/publish/running-set.ts': 'request',
      'src/master/publish/set-publisher.ts': 'publish',
      'src/master/publish/settings-publisher.ts': 'publish',
    },
    works: ['settings are published', 'a secret is rotated'],
    fails: ['settings that give a secret away are refused'],
  },
  {
    files: { 'src/master/publish/settings-directory.ts': 'makeDirectory, writeAtomic' },
    // The source tree, where secrets lie: sealed, if it was this that put them there.
    works: ['secrets are set and listed'],
    fails: ['secrets are set and listed'],
  },
  {
    files: { 'src/master/publish/source-note.ts': 'makeDirectory, writeAtomic' },
    // Paths and hashes; those of settings are keyed, because a short secret could be guessed by its hash.
    works: ['settings are published', 'a secret is rotated'],
    fails: ['settings that give a secret away are refused'],
  },
  {
    files: { 'src/master/store/store-marks.ts': 'append, create, put, update' },
    handsOn: 'the bus: it notes the sequence of what others write',
  },
  {
    files: {
      'src/master/enroll/admin-service.ts': 'create',
      'src/master/enroll/challenges.ts': 'put, update',
      'src/master/enroll/enrollment-store.ts': 'create, createOrRead, update',
      'src/master/enroll/enrollment-watch.ts': 'put',
      'src/master/enroll/join-tokens.ts': 'createOrRead, update',
      'src/master/enroll/operator-facts.ts': 'update',
      'src/master/master-events.ts': 'append',
    },
    // Public keys, of a token the hash; facts that an operator set are sealed to the fleet key.
    works: ['a local fleet is up'],
    fails: ['a local fleet is up'],
  },
  {
    files: {
      'src/master/enroll/http/door-certificate.ts': 'createSecureContext',
      'src/master/enroll/http/enroll-door.ts': 'createServer, request',
    },
    never:
      'answers machines that want to join: challenges, states, the CA, credentials without their seed. The key of the certificate goes to TLS alone',
  },
  {
    files: { 'src/master/enroll/http/serve-enroll.ts': 'renameSync, writeFileSync' },
    never: 'writes the address at which machines join',
  },
  {
    files: { 'src/master/fleet/resolve-service.ts': 'publish' },
    never: 'answers which peels a target means: ids',
  },

  // --- the command line, and what it asks --------------------------------------------------------------------------------
  {
    files: { 'src/client/ask.ts': 'request' },
    works: ['secrets are set and listed', 'the command line shows what is stored'],
    fails: ['secrets are set and listed'],
  },
  {
    files: {
      'src/client/direct/ask-peel.ts': 'request',
      'src/client/jobs/cancel-job.ts': 'append',
    },
    never: 'sends what an operator typed',
  },
  {
    files: {
      'src/client/accounts/upgrade-accounts.ts': 'jsonLog',
      'src/client/doctor/ask-accounts.ts': 'jsonLog',
      'src/client/doctor/ask-servers.ts': 'jsonLog',
    },
    never: 'a log that writes nothing',
  },
  {
    files: {
      'src/cli/exec/job-display.ts': 'out, say',
      'src/cli/exec/run-direct.ts': 'out',
      'src/cli/job/job-list.ts': 'out, say',
      'src/cli/job/job-show.ts': 'out, say',
      'src/cli/peel/peel-list.ts': 'out, say',
      'src/cli/program/command.ts': 'out, say',
      'src/cli/program/common-options.ts': 'out',
      'src/cli/program/start-program.ts': 'jsonLog, process.stderr, process.stdout',
    },
    works: [
      'the command line shows what is stored',
      'a function is called directly',
      'settings are asked for',
    ],
    fails: FLEET_RECORDS_FAIL,
  },
  {
    files: { 'src/cli/auth/auth-rotate.ts': 'out, say' },
    never: 'prints numbers and times of generations, and names of peels, masters and operators',
  },
  {
    files: {
      'src/cli/enroll/choose-enrollments.ts': 'say',
      'src/cli/enroll/enroll-decide.ts': 'out, say',
      'src/cli/enroll/enroll-list.ts': 'out, say',
      'src/cli/enroll/enroll-token.ts': 'out, say',
    },
    never: 'print names of facts that operators set, never a value; a new join token is what was asked for',
  },
  {
    files: {
      'src/cli/enroll/enroll-show.ts': 'out',
      'src/cli/peel/peel-tag.ts': 'out',
      'src/cli/peel/peel-unban.ts': 'out',
    },
    // Names of facts that operators set.
    works: ['a local fleet is up'],
    fails: ['a local fleet is up'],
  },
  {
    files: {
      'src/cli/files/files-diff.ts': 'out',
      'src/cli/files/files-publish.ts': 'out',
      'src/cli/files/files-status.ts': 'out, say',
    },
    works: ['settings are published', 'the command line shows what is stored'],
    fails: ['settings that give a secret away are refused'],
  },
  {
    files: {
      'src/cli/settings/settings-explain.ts': 'out',
      'src/cli/settings/settings-show.ts': 'out',
    },
    works: ['settings are asked for'],
    fails: ['settings are asked for'],
  },
  {
    files: {
      'src/cli/program/program-input.ts': 'say',
      'src/cli/secret/secret-list.ts': 'out',
      'src/cli/secret/secret-reencrypt.ts': 'out',
      'src/cli/secret/secret-set.ts': 'out',
    },
    works: ['secrets are set and listed'],
    fails: ['secrets are set and listed'],
  },
  {
    files: {
      'src/cli/authoring/run-lint.ts': 'out',
      'src/cli/authoring/run-render.ts': 'out, say',
    },
    works: ['files are rendered and linted'],
    fails: ['files are rendered and linted'],
  },
  {
    files: {
      'src/cli/authoring/other-program.ts': 'spawn',
      'src/cli/doctor/read-disk-space.ts': 'run',
    },
    never: 'starts a program with the words of this command line, or stat with a path of it',
  },
  {
    files: { 'src/cli/doctor/doctor.ts': 'out' },
    works: ['the command line shows what is stored'],
    fails: ['settings that give a secret away are refused'],
  },
  {
    files: {
      'src/cli/connect/with-client.ts': 'say',
      'src/cli/exec/exec-command.ts': 'say',
      'src/cli/job/job-kill.ts': 'out, say',
      'src/cli/master/master-list.ts': 'out',
      'src/cli/terminal/progress-ticker.ts': 'say',
      'src/cli/terminal/wait-for.ts': 'say',
      'src/cli/up/up.ts': 'say',
    },
    never: 'says which peels are asked, which master answers, what is waited for: ids, addresses and numbers',
  },

  // --- the local fleet and its servers -----------------------------------------------------------------------------------
  {
    files: {
      'src/local-fleet/fleet-process.ts': 'openSync, spawn',
      'src/local-fleet/start-detached.ts': 'openSync, spawn',
    },
    // Their output goes into the log files of the fleet.
    works: ['a local fleet is up'],
    fails: ['a local fleet is up'],
  },
  {
    files: { 'src/local-fleet/fleet-sources.ts': 'cpSync, renameSync, writeFileSync' },
    never: 'copies the examples that come with the program into a new fleet',
  },
  {
    files: {
      'src/local-fleet/fleet-file.ts': 'renameSync, writeFileSync',
      'src/local-fleet/fleet-enrollment.ts': 'renameSync, writeFileSync',
      'src/local-fleet/server-places.ts': 'renameSync, writeFileSync',
      'src/nats-server/debian-download.ts': 'mkdir, mkdtemp, rename, writeFile',
      'src/nats-server/free-ports.ts': 'createServer',
      'src/nats-server/server-cache.ts': 'mkdirSync',
      'src/nats-server/server-dir.ts': 'mkdir, open, rename',
      'src/nats-server/server-info.ts': 'connect',
      'src/nats-server/server-process.ts': 'spawn',
    },
    never: 'starts nats-server and writes where it is: ports, pids, paths, versions',
  },
  {
    files: { 'src/nats-server/server-log.ts': 'copyFileSync, openSync, truncateSync' },
    // A server's log: it names subjects, never payloads.
    works: ['a local fleet is up'],
    fails: ['a local fleet is up'],
  },
  {
    files: {
      'src/peel/join/door-request.ts': 'request',
      'src/peel/join/enroll-machine.ts': 'request',
      'src/peel/join/renew-credentials.ts': 'request',
    },
    never:
      'a join sends public keys, signatures, the host name and a join token that is meant for the master; it reads no settings and no secrets',
  },
  {
    files: { 'src/process/install-unit.ts': 'mkdirSync, openSync, renameSync, writeFileSync' },
    never: 'a unit has the options of a daemon, which name files and hold no secret',
  },
];
