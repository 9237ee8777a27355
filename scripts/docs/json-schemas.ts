/**
 * This file has the JSON Schema of what each command prints with `--format json`, and of its errors. Tests check the
 * real output of every command against these, so they are what a program can rely on: within a major version keys are
 * added, and nothing is renamed, retyped or removed.
 */
import { COMMANDS } from '../../src/cli/all-commands.ts';
import { execCommand } from '../../src/cli/exec/exec-command.ts';
import { type Command, commandName } from '../../src/cli/program/command.ts';
import { ERRORS } from '../../src/core/errors/registry.ts';
import type { Field } from '../../src/wire/msgpack/codec.ts';
import { ENROLLMENT_STATES } from '../../src/wire/records/enroll/enrollment.ts';
import { jobCodec } from '../../src/wire/records/job.ts';
import { JOB_STATUSES, OUTCOMES } from '../../src/wire/records/job-status.ts';
import type { JsonSchema } from './state-file-schema.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

const text = (description = ''): JsonSchema => ({
  ...(description === '' ? {} : { description }),
  type: 'string',
});
const flag = (description: string): JsonSchema => ({ description, type: 'boolean' });
const integer = (description = ''): JsonSchema => ({
  ...(description === '' ? {} : { description }),
  type: 'integer',
});
const number = (description: string): JsonSchema => ({ description, type: 'number' });
const oneOf = (words: readonly string[], description = ''): JsonSchema => ({ description, enum: words });
const list = (items: JsonSchema, description = ''): JsonSchema => ({ description, type: 'array', items });
const mapOf = (values: JsonSchema, description = ''): JsonSchema => ({
  description,
  type: 'object',
  additionalProperties: values,
});
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const anything = (description: string): JsonSchema => ({ description });
const time = (description: string): JsonSchema => ({
  description,
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
});

/** Every key is there, but for those that are named as optional; others are not. */
function record(description: string, required: Properties, optional: Properties = {}): JsonSchema {
  return {
    description,
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

const STATE_RESULT = record(
  'What one state, or one function, did.',
  {
    name: text('`family.function:id` of a state, `family.function` of a function.'),
    changed: flag('Something was changed, or would be in a dry run.'),
    skipped: flag('It was not run.'),
    skip_reason: text('Why not: require_failed, onchanges_not_met, … Empty when it was run.'),
    duration_ms: number('How long it took.'),
    diff: text('What was changed.'),
    error: text('Why it failed. Empty when it went well.'),
    details: {
      description:
        'The answer of a function as `result`, as it is: text, a number, true or false, a list, a map. Of a command `stdout`, `stderr`, `exitcode`. Output that is no UTF-8 is {"base64": "…"}.',
      type: 'object',
      properties: { exitcode: integer('Of a command that ended by itself.') },
      additionalProperties: true,
    },
  },
  {
    state: record(
      'Of a state: which one. A function has none.',
      { function: text('`family.function`.'), id: text('As the file says.') },
      {
        sls: text('The file as it is included. Not there for a state that no file declares.'),
        file: text('The path of the file in the tree of states.'),
        line: integer('Where in it the state is declared, from 1.'),
      },
    ),
  },
);

const ROW = record(
  'How one target stands.',
  {
    outcome: oneOf(
      OUTCOMES,
      'How the job ended for it or, while `final` is false, stands. With --direct: unreachable is a peel that was not connected, running one that did not answer, which `error` says; it may have run or still run.',
    ),
    final: flag('It has returned, or a master has written a row for it.'),
    success: flag('It ran and went well.'),
    test: flag('It was a dry run: nothing was changed.'),
    duration_ms: number('How long it ran, measured on the peel.'),
    error: text('Why nothing, or not everything, was run. Empty when all was.'),
    results: list(
      { $ref: '#/definitions/result' },
      'One for each state in execution order, or one for a function.',
    ),
  },
  {
    error_code: text('The code of that error, where it is one of docs/reference/errors.md.'),
    states_revision: integer(
      'Revision of the published state files that it used; absent where it used none.',
    ),
    settings_revision: integer(
      'Revision of the published settings files that it used; absent where it used none.',
    ),
    unreadable_answer: text('It answered with something that is no answer; what is wrong with it.'),
    proof: record(
      'The last that was heard of it, where that matters or is known.',
      {
        acked: orNull(time('When it accepted the job; null when it did not say so.')),
        heartbeat_age_ms: orNull(
          integer('How old its heartbeat is, or was when the row was written; null without one.'),
        ),
      },
      {
        waits_behind: text(
          'It has accepted the job and not started it: the job before it in its queue, or other words of the peel.',
        ),
      },
    ),
  },
);

const ROW_DEFINITIONS = { result: STATE_RESULT, row: ROW };
const RETURNS = mapOf({ $ref: '#/definitions/row' }, 'By peel; every target has one.');

const EXECUTION = {
  ...record('The result of an execution, also of `job attach`.', {
    jid: orNull(text('The job; null with --direct, which makes none.')),
    status: oneOf([...JOB_STATUSES, 'direct'], 'Of the job; direct where there is none.'),
    test: flag('A dry run was asked for.'),
    targets: list(text(), 'The peels that the target meant.'),
    returns: RETURNS,
  }),
  definitions: ROW_DEFINITIONS,
};

/** From the table of the record, as `jobRecord` makes it: a new field is in the schema by itself. */
function jobProperties(): { readonly required: Properties; readonly optional: Properties } {
  const fields = Object.values<Field<unknown>>(jobCodec.fields as Readonly<Record<string, Field<unknown>>>);
  const of = (omitEmpty: boolean) =>
    Object.fromEntries(
      fields
        .filter((field) => (field.omitEmpty ?? false) === omitEmpty)
        .map(({ key, type, doc }) =>
          type.label === 'duration' ? [`${key}_ms`, number(doc)] : [key, fieldSchema(type.label, doc)],
        ),
    );
  return { required: { ...of(false), test: flag('It is a dry run.') }, optional: of(true) };
}

function fieldSchema(label: string, doc: string): JsonSchema {
  if (label === 'time') return time(doc);
  if (label === 'job status') return oneOf(JOB_STATUSES, doc);
  if (label === 'integer' || label === 'epoch') return integer(doc);
  if (label === 'boolean') return flag(doc);
  if (label.startsWith('list of ')) return list(text(), doc);
  if (label === 'map of text') return mapOf(text(), doc);
  return label === 'map of any values' ? { description: doc, type: 'object' } : text(doc);
}

const { required: JOB_REQUIRED, optional: JOB_OPTIONAL } = jobProperties();
const JOB = record('A job.', JOB_REQUIRED, JOB_OPTIONAL);
/** Where the acks of the job are read too. */
const JOB_SHOWN_OPTIONAL: Properties = {
  ...JOB_OPTIONAL,
  waits_behind: list(
    text(),
    'No target has started it or returned, and at least one has it in its queue: what stands before it there, job ids or other words of peels. Asked of the newest 64 jobs that run.',
  ),
};
const JOB_LISTED = record('A job.', JOB_REQUIRED, JOB_SHOWN_OPTIONAL);
const PEEL = record(
  'A peel that left facts or a heartbeat, or is kept out.',
  {
    peel_id: text(),
    online: flag('It has a heartbeat.'),
    tags: mapOf(text(), 'What operators say of it.'),
    facts: mapOf(anything('')),
  },
  {
    heartbeat_age_ms: integer('Of its heartbeat, when it has one.'),
    version: text('Of the peel program, when it has a heartbeat.'),
    last_seen: time(
      'Its heartbeat; of a peel that is away its last trace, and it may have been there later.',
    ),
    last_seen_by: oneOf(['heartbeat', 'facts', 'job']),
    banned_until: time('It flooded NATS and is kept out until then.'),
    banned_because: text('What it did.'),
    unreadable: list(oneOf(['facts', 'heartbeat']), 'Its records that make no sense and are left out.'),
  },
);
const NAMED_PROCESS = record('', { name: text(), pid: integer() });
const PROBLEM = record(
  '',
  {
    severity: oneOf(['error', 'warning']),
    tree: oneOf(['states', 'settings']),
    file: text('In its tree.'),
    message: text(),
    included_from: list(text()),
    facts: list(text(), 'The sets of facts with which it shows; empty where facts play no part.'),
  },
  { line: integer(), column: integer(), next: text('What to do.') },
);

const PATHS = list(text());
const FILES_SET = text('settings, states or reactor.');
const SET_STATE = text(
  'How it stands in the directory of the publisher: unchanged, published, updated, waiting, conflict, broken, empty, absent, failed. Others may come.',
);
const SETTING_SOURCE = record('One file that said something of a setting.', {
  at: text('File, line and column.'),
  value: anything('What it said.'),
  pattern: text('Of the top file, by which the file came.'),
  top: text('The line of the top file.'),
  included_from: list(text(), 'The includes by which it came, the nearest first.'),
});

const POSITION = record('', { file: text() }, { line: integer(), column: integer() });

const KEY_STANDING = {
  generations: list(
    record('', {
      generation: integer(),
      good: flag('It is accepted.'),
      created: orNull(time('When it was made; null for the first.')),
      created_by: text('Who asked for it.'),
      ended: orNull(time('When the overlap with the one before it ended.')),
    }),
    'The newest first.',
  ),
  overlap: flag('A rotation is under way: two are accepted.'),
  ends_earliest: orNull(time('The overlap does not end before.')),
  ends_latest: orNull(time('It has ended then.')),
  peels_online: integer(),
  peels_confirmed: integer('Of those, how many have the newest.'),
  peels_missing: list(text(), 'Some of those that do not.'),
  masters_missing: list(text(), 'Masters that do not have the newest.'),
  sealed_old: integer('Records that are sealed under an older one.'),
};
const FLEET_KEY = record('How the key stands.', KEY_STANDING);
const OPERATOR_KEY = record('An operator key.', {
  key: text('Path.'),
  operator: text(),
  generation: integer('Of the fleet key that certified it.'),
  expires: orNull(time('It is good until then; null without end.')),
});
const READERS = {
  waited: flag('Peels were waited for; otherwise the three lists are empty.'),
  read: list(text(), 'Peels that have read it.'),
  waiting: list(text(), 'Peels that are online and have not read it in time.'),
  offline: list(text(), 'Peels that are offline; they read it when they are back.'),
};
const SECRET_STORED = record('A secret that was put into a settings file.', {
  file: text('Path in the settings directory.'),
  path: text('Of the secret, as placeholders name it.'),
  settings_revision: integer('Of the settings that has it.'),
  generated: flag('The value was made by chance.'),
  was_plain: flag('It took the place of a value that stood there as plain text.'),
  not_sealed: list(
    text(),
    'Peels that get it and for which it is not sealed yet; they have what was before.',
  ),
  ...READERS,
});

const TAGS = mapOf(text(), 'What operators say of the peel.');
const ENROLLMENT_KEYS: Properties = {
  id: text('`enr-…`.'),
  peel_id: text('What it wants to be called.'),
  state: oneOf(ENROLLMENT_STATES),
  trust: oneOf(
    ['ok', 'unverified', 'MISMATCH!'],
    'Whether the machine has seen our CA, by its own signed word.',
  ),
  hostname: text('As the machine says.'),
  remote_addr: text('From where it asked.'),
  metadata: mapOf(text(), 'What else the machine says.'),
  public_key: text('Its user key.'),
  key_fingerprint: text('SHA-256 of that text.'),
  curve_public_key: text(),
  trusted_ca_spki: text('Pin of the CA that it has seen; empty: it does not say.'),
  created_at: time('When it asked.'),
  updated_at: time('Of the last change.'),
  decided_by: text('An operator, `token:<id>` or `reactor`; empty: nobody yet.'),
  reject_reason: text('Why it was rejected or revoked.'),
  tags: TAGS,
  fact_names: list(text(), 'Names of the facts that an operator set.'),
  join_token: text('That let it in; empty: none did.'),
  superseded_by: text('The enrollment of the same key that took its place; empty: none did.'),
  changes: list(
    record('', {
      state: oneOf(ENROLLMENT_STATES),
      at: time(''),
      by: text('Who decided; empty: nobody had to.'),
      reason: text('Why it was rejected or revoked.'),
    }),
    'The states it went through, in order.',
  ),
};
const ENROLLMENT_TIMES: Properties = {
  decided_at: time(''),
  issued_at: time('When credentials were given.'),
  expires_at: time('When these expire.'),
};
const ENROLL_DECIDED = list(
  record(
    '',
    {
      id: text('Of the enrollment; empty: the peel has none.'),
      peel_id: text(),
      outcome: oneOf(['done', 'refused', 'unanswered'], 'unanswered: no master said what became of it.'),
      decided_by: text(),
      servers: integer('Of a revocation: NATS servers that confirmed that they keep the peel out.'),
      servers_known: integer('NATS servers there are, those that are away included; 0: nobody could say.'),
      warning: text('What could not be confirmed; empty: nothing.'),
      error: text('Why not; empty when it was done.'),
      code: text('Of that error, where it has one.'),
    },
    {
      state: oneOf(ENROLLMENT_STATES, 'As the master wrote it; of what was not done, as it was before.'),
    },
  ),
  'In the order in which they were asked for.',
);
const TOKEN_KEYS: Properties = {
  id: text('Public half, `tok-…`.'),
  state: oneOf(['good', 'used up', 'expired', 'revoked']),
  peel_pattern: text('Glob of the ids it covers.'),
  uses_max: integer('How many machines it lets in.'),
  uses: integer('How many it has let in.'),
  enrollments: list(text(), 'Those.'),
  tags: TAGS,
  created_by: text(),
  created_at: time(''),
  expires_at: time(''),
  revoked_by: text(),
};
const TOKEN_TIMES: Properties = { revoked_at: time('') };

/** By name of the command. */
const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  [commandName(execCommand)]: EXECUTION,
  'job attach': EXECUTION,
  'job list': list(JOB_LISTED, 'The newest last.'),
  'job active': list(JOB_LISTED),
  'job show': {
    ...record('A job and its targets.', { ...JOB_REQUIRED, returns: RETURNS }, JOB_SHOWN_OPTIONAL),
    definitions: ROW_DEFINITIONS,
  },
  'job kill': JOB,
  'peel list': list(PEEL),
  'peel show': PEEL,
  'peel tag': record(
    'As the master answered.',
    { peel_id: text(), warning: text('What could not be confirmed; empty: nothing.') },
    {
      id: text('Of the enrollment.'),
      tags: TAGS,
      fact_names: list(text(), 'Names of the facts that an operator set.'),
    },
  ),
  'peel unban': record(
    'As the master answered.',
    { peel_id: text(), warning: text('What could not be confirmed; empty: nothing.') },
    { lifted_by: text(), lifted_at: time(''), reason: text('Why it had been cut off.') },
  ),
  'enroll list': list(record('', ENROLLMENT_KEYS, ENROLLMENT_TIMES), 'The newest first.'),
  'enroll show': record(
    '',
    { ...ENROLLMENT_KEYS, others: list(text(), 'Other enrollments under the same peel id.') },
    ENROLLMENT_TIMES,
  ),
  'enroll approve': ENROLL_DECIDED,
  'enroll reject': ENROLL_DECIDED,
  'enroll revoke': ENROLL_DECIDED,
  'enroll token create': record(
    'The token, which is shown this once, and what masters store of it.',
    { token: text('`tok-<id>.<secret>`.') },
    { ...TOKEN_KEYS, ...TOKEN_TIMES },
  ),
  'enroll token list': list(record('', TOKEN_KEYS, TOKEN_TIMES), 'The newest first.'),
  'enroll token revoke': record('', { id: text() }, { ...TOKEN_KEYS, ...TOKEN_TIMES }),
  'settings show': record('', {
    peel_id: text(),
    key: text('As it was asked for; empty for all settings.'),
    value: anything('Secrets are shown as `[secret <path>]`.'),
  }),
  'settings explain': record('', {
    peel_id: text(),
    key: text('As it was asked for.'),
    found: flag('There is such a setting.'),
    value: anything('With placeholders for secrets; null where nothing was found.'),
    set_by: list(SETTING_SOURCE, 'What the value is made of, in merge order.'),
    overrode: list(SETTING_SOURCE, 'What was there before, in merge order.'),
    replaced_by: list(SETTING_SOURCE, 'Where a setting is gone: what stands in its place further out.'),
    strategy: text('Of the merge.'),
    lists: text('What becomes of two lists.'),
    near: text('A key that may have been meant; empty: none.'),
  }),
  'master list': list(
    record(
      '',
      {
        master_id: text(),
        state: oneOf(['alive', 'leaving', 'stale', 'gone']),
        host: text(),
        version: text(),
        jobs: integer('That it owns and that are not finished.'),
        leases: list(text()),
        leaving: flag(''),
      },
      {
        pid: integer(),
        since: time('When it started.'),
        heartbeat_age_ms: integer(),
        problem: text('Which of its stores take no write, or take long.'),
      },
    ),
    'Those that are alive first.',
  ),
  'secret set': SECRET_STORED,
  'secret rotate': SECRET_STORED,
  'secret list': list(
    record('One secret; its value is shown nowhere.', {
      path: text('As placeholders name it.'),
      file: text('Path in the settings directory.'),
      line: integer('From 1.'),
      sealed_at_rest: flag('The file has it sealed to the fleet key.'),
      peels: list(text(), 'Known peels that get it; of --peel only that one.'),
    }),
    'By path.',
  ),
  'secret reencrypt': record('', { sealed: integer('Peels that were sealed for.'), ...READERS }),
  'files status': record('What is published, and who has it.', {
    publisher: orNull(
      record(
        'Who publishes; null when nobody answers as the publisher.',
        { master_id: text(), host: text() },
        {
          since: time('Since when it publishes.'),
        },
      ),
    ),
    sets: list(
      record(
        '',
        {
          set: FILES_SET,
          published: oneOf(
            ['whole', 'torn', 'empty'],
            'torn: a publish is under way or was interrupted; peels keep what they have. empty: never published.',
          ),
          revision: orNull(integer('Null unless it is whole.')),
          files: integer(),
        },
        {
          published_at: time('When that revision was published.'),
          problem: text('Why it is torn.'),
          state: SET_STATE,
          directory: text('Of the publisher; empty when it has none for the set.'),
          note: text('Why nothing, or not everything, is published, and what next.'),
        },
      ),
    ),
    peels: list(
      record(
        'A peel that is known, by its last heartbeat.',
        {
          peel_id: text(),
          state: oneOf(
            ['current', 'behind', 'problem', 'unreadable', 'offline'],
            'behind: it has another revision than the published one. unreadable: its heartbeat makes no sense.',
          ),
        },
        {
          heartbeat_age_ms: integer(),
          states_revision: integer('That it has; 0 for none.'),
          settings_revision: integer('That it has; 0 for none.'),
          secrets_revision: integer('Of its key in bucket secrets, as it has read it; 0 for none.'),
          problem: text('Why it does not have everything, in its own words; empty when nothing is wrong.'),
          sealed_revision: integer('Of its key in bucket secrets, where it has one.'),
        },
      ),
    ),
  }),
  'files publish': record('What came of it.', {
    master_id: text('Who published.'),
    host: text(),
    sets: list(
      record(
        '',
        {
          set: FILES_SET,
          revision: integer('The published one; 0 when nothing is.'),
          files: integer(),
          changed: integer('Files that were written or removed.'),
          state: SET_STATE,
          note: text('Why nothing, or not everything, was published, and what next.'),
          directory: text(),
        },
        { published_at: time('When the revision was written.') },
      ),
    ),
  }),
  'files diff': record(
    'What differs from what is published.',
    {
      sets: list(
        record(
          '',
          {
            set: FILES_SET,
            directory: text('Where the files are.'),
            revision: integer('The published one; 0 when nothing is.'),
            added: { ...PATHS, description: 'There and not published.' },
            changed: { ...PATHS, description: 'There with another content.' },
            removed: { ...PATHS, description: 'Published and not there.' },
            omitted: integer('Further names, which are not told.'),
            note: text('Why it could not be told, or what else there is to know.'),
          },
          { mirrored_revision: integer('With --peel: the revision that it has; 0 for none.') },
        ),
      ),
    },
    {
      master_id: text('Without --peel: who publishes.'),
      host: text('Without --peel.'),
      peel_id: text('With --peel.'),
    },
  ),
  doctor: list(
    record('', {
      check: text(),
      verdict: oneOf(['ok', 'warn', 'fail', 'unknown']),
      found: text(),
      fix: text('What to do; empty when there is nothing to do.'),
    }),
  ),
  lint: record('', {
    files: integer('State files that were looked at.'),
    settings_files: integer('Files of a settings tree that were looked at.'),
    facts: list(text(), 'Names of the sets of facts.'),
    sample_facts: flag('No facts were given; those of a sample machine were used.'),
    errors: integer(),
    warnings: integer(),
    problems: list(PROBLEM),
  }),
  render: {
    description: 'The text, or what is wrong with the template.',
    anyOf: [record('', { output: text() }), record('', { error: { type: 'object' } })],
  },
  sim: record('One line for each seed.', {
    seed: integer(),
    violations: list(record('', { atMs: number('Virtual time.'), rule: text(), text: text() })),
    digest: text('The same for the same seed.'),
    ...Object.fromEntries(
      [
        'events',
        'jobs',
        'published',
        'stored',
        'commands',
        'adoptions',
        'olderReports',
        'revisions',
        'file_runs',
        'secrets_missing',
        'machines_joined',
        'machines_revoked',
        'revoked_words',
        'rotations',
      ].map((key) => [key, integer()]),
    ),
    ...Object.fromEntries(['state_runs', 'states_restored', 'state_deaths'].map((key) => [key, integer()])),
    virtual_ms: number(''),
    took_ms: number(''),
  }),
  up: {
    description: 'The fleet when it is up; shorter with --detach.',
    anyOf: [
      record('', {
        dir: text(),
        url: text(),
        pid: integer('Of `up` itself; each server has its own.'),
        nats_server: text('Its version.'),
        adopted: flag('All servers ran already, left by a killed `up`.'),
        auth_dir: text(),
        log: text('Of the first server.'),
        ca_fingerprint: text(),
        assets: list({ type: 'object' }),
        servers: list(
          record('', {
            name: text(),
            pid: integer(),
            url: text(),
            adopted: flag('It ran already.'),
            log: text('Path.'),
          }),
        ),
        masters: list(NAMED_PROCESS),
        peels: list(NAMED_PROCESS),
        missing: list(text(), 'Parts that were not heard of in time.'),
      }),
      record('', {
        dir: text(),
        url: text(),
        pid: integer('Of `up` in the background.'),
        log: text(),
        missing: list(text(), 'Parts that were not heard of in time.'),
      }),
    ],
  },
  down: record('', {
    dir: text(),
    was_up: flag('There was something to stop.'),
    ended: list(NAMED_PROCESS, 'What was running and is gone now.'),
  }),
  'auth status': record('How the fleet key stands, and the agents key.', {
    ...KEY_STANDING,
    agents_key: record('The key that signs credentials of peels.', KEY_STANDING),
  }),
  'auth rotate fleet-key': FLEET_KEY,
  'auth rotate agents-key': FLEET_KEY,
  'auth rotate operator-key': record('', {
    dir: text(),
    generation: integer('Of the operator key.'),
    files: list(text(), 'Names of the files that were written.'),
  }),
  'auth operator renew': OPERATOR_KEY,
  'auth operator issue': OPERATOR_KEY,
  'auth init': record('', { dir: text(), accounts: mapOf(text(), 'Public keys.'), operator: text() }),
  'auth upgrade': record('', {
    auth_dir: text(),
    grants: integer('The version of the grants of this program.'),
    files: list(
      record('', {
        file: text(),
        from: integer('Grants version.'),
        to: integer('The same: only its content is newer.'),
      }),
      'Written anew, in this order.',
    ),
    servers: list(
      record('', { server: text(), taken: flag(''), message: text('In the words of the server.') }),
      'Those that were handed a document; none where all had everything.',
    ),
    older: list(text(), 'Credentials that are still older than this program.'),
    reached: flag('NATS was reached.'),
    recorded: flag('There is a store for the record.'),
    revoked: integer('User keys that are shut out.'),
    trouble: text('Empty when all is done.'),
  }),
  'ca init': record('', { root: text('Path of the certificate.'), fingerprint: text() }),
  'ca issue': record('', {
    certificate: text('Path.'),
    key: text('Path.'),
    names: list(text()),
    not_after: time('It is good until then.'),
  }),
  'ca renew': record('', {
    certificate: text('Path.'),
    renewed: flag('It was due, or asked for.'),
    names: list(text()),
    not_after: time('It is good until then.'),
  }),
  'ca rotate-intermediate': record('', {
    intermediate: text('Path.'),
    fingerprint: text('Pin of the root, which stays.'),
    not_after: time('It is good until then.'),
  }),
  'ca fingerprint': record('', { fingerprint: text() }),
  'ca print': record('', { certificate: text('PEM.') }),
};

/** The last line on stderr of a command with `--format json` that could not do what it was asked for. */
export const ERROR_SCHEMA: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'an error with --format json',
  ...record('One line.', {
    error: record(
      '',
      {
        code: oneOf(
          [...Object.keys(ERRORS), 'BUG'],
          'Stays the same over versions; docs/reference/errors.md.',
        ),
        message: text(),
      },
      {
        next: text('What to do. Not there for a bug of ours.'),
        where: POSITION,
        reason_code: text('The code with which a master refused, where one did.'),
        because: text(),
        stack: text('Of a bug of ours.'),
      },
    ),
  }),
};

export const COMMANDS_WITH_JSON: readonly Command[] = [execCommand, ...COMMANDS].filter(({ options }) =>
  options.some(({ name, choices }) => name === 'format' && choices?.includes('json')),
);

/** Throws for a command that has none: every command that prints JSON says what it prints. */
export function schemaOf(command: Command): JsonSchema {
  const name = commandName(command);
  const schema = SCHEMAS[name];
  if (schema === undefined) throw new Error(`zester ${name} --format json has no schema in json-schemas.ts`);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `zester ${name} --format json`,
    ...schema,
  };
}
