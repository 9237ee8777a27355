/**
 * The words of strangers in every field of every record that a command reads, on a real nats-server with a real master:
 * whatever they are, every command prints in every format what a terminal can be shown and a program can read, no line
 * passes for one of ours, and a record that makes no sense costs nobody but itself.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ERROR_SCHEMA, schemaOf } from '../../../scripts/docs/json-schemas.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { COMMANDS } from '../../../src/cli/all-commands.ts';
import { execCommand } from '../../../src/cli/exec/exec-command.ts';
import { type Command, commandName } from '../../../src/cli/program/command.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { credsPath } from '../../../src/trust/auth-dir.ts';
import { AUTH_FILES } from '../../../src/trust/auth-files.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { curveKeyOf } from '../../../src/trust/nkeys.ts';
import { formatOperatorKey, newOperatorKey } from '../../../src/trust/operator-key.ts';
import { decodeValue } from '../../../src/wire/msgpack/msgpack-decode.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { EnrollmentId, Jid, JoinTokenId, MasterId, PeelId } from '../../../src/wire/names/ids.ts';
import { enrolledPeelKey, jobKey, jobReturnKey } from '../../../src/wire/names/keys.ts';
import {
  commandSubject,
  directAnswerSubject,
  ENROLL_APPROVE_SUBJECT,
  ENROLL_REJECT_SUBJECT,
  ENROLL_REVOKE_SUBJECT,
  FILESERVER_DIFF_SUBJECT,
  FILESERVER_STATUS_SUBJECT,
  FILESERVER_UPDATE_SUBJECT,
  JOIN_TOKEN_CREATE_SUBJECT,
  JOIN_TOKEN_REVOKE_SUBJECT,
  jobReturnSubject,
  PEEL_TAG_SUBJECT,
  PEEL_UNBAN_SUBJECT,
} from '../../../src/wire/names/subjects.ts';
import { enrollAdminReplyCodec, joinTokenReplyCodec } from '../../../src/wire/records/enroll/enroll-admin.ts';
import { enrollmentCodec } from '../../../src/wire/records/enroll/enrollment.ts';
import { floodBanCodec, peelUnbanReplyCodec } from '../../../src/wire/records/enroll/flood-ban.ts';
import { joinTokenCodec } from '../../../src/wire/records/enroll/join-token.ts';
import {
  type ExecRequest,
  execRequestCodec,
  execResponseCodec,
  type StateResult,
  stateResultCodec,
} from '../../../src/wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import {
  filesDifferenceCodec,
  filesDiffReplyCodec,
  filesReplyCodec,
  filesSetReportCodec,
} from '../../../src/wire/records/fileserver.ts';
import { masterHeartbeatCodec, peelHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { jobCodec } from '../../../src/wire/records/job.ts';
import { type Row, rowCodec } from '../../../src/wire/records/job-return.ts';
import { HOSTILE_TEXTS, hostileData, hostileRecord } from '../../harness/hostile-record.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { type JsonData, schemaProblems } from '../../harness/json-schema.ts';
import { scratchDir } from '../../harness/programs/program.ts';
import { type CommandEnd, runCommand } from '../../harness/programs/run-command.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const EVIL = 'evil' as PeelId;
/** Its records are no records. */
const GARBLED = 'garbled' as PeelId;
const DEAD_MASTER = 'master-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as MasterId;
const ENROLLMENT = 'enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as EnrollmentId;
const TOKEN = 'tok-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as JoinTokenId;
const NONSENSE = Uint8Array.of(0xc1, 0x1b, 0x5b, 0x32, 0x4a);

/** What a terminal obeys, but for our own layout. */
const STEERS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** Lines that only a planted line break can begin. */
const FORGED = /^(?:web-99:|CR|zester: all is well|NEL|LS|PS|VT|FF)/m;
/** Longer than any line of ours; a planted text is ten times as long. */
const LINE_CHARS_MAX = 1_500;

const world = new JobsWorld();
const authDir = join(scratchDir(), 'auth');
const newJid = () => newKsuid(testRuntime.clock, testRuntime.random) as Jid;
const [jobOfEvil, stateJob, garbledJob] = [newJid(), newJid(), newJid()];
let evil: AgentBus;
let publisher: Bus;
let curveKey = '';
/** What the peel puts into its records and answers from now on. */
let text = HOSTILE_TEXTS[0] as string;

beforeAll(async () => {
  await world.open(1);
  const creds = world.trust.creds('peel', EVIL);
  curveKey = curveKeyOf(creds.key).publicKey;
  evil = openAgentBus(world.trust.connect([world.server.url], 'peel', EVIL, creds), testRuntime);
  await evil.connected();
  publisher = openBus(world.trust.connect([world.server.url], 'master', 'publisher'), testRuntime);
  await publisher.connected();
  await answerAsPublisher();
  await evil.subscribe(commandSubject(EVIL), ({ data }) => answer(execRequestCodec.decode(data)));
  writeAdminFiles();
  await plant();
  await until(() => world.masters.every((master) => master.state().peels > 0), 'its facts to be known');
}, 60_000);
afterAll(async () => {
  await evil.close();
  await publisher.close();
  await world.close();
});

function writeAdminFiles(): void {
  const { jwt, key } = world.trust.creds('admin', 'admin');
  const terms = { name: 'tester', issued: nanosFromMs(testRuntime.clock.nowMs()), expires: undefined };
  const operator = newOperatorKey(testRuntime.random, commandKeyOf(world.trust.topology.control), terms);
  const files = [
    [credsPath(authDir, 'admin'), formatCreds(jwt, key)],
    [join(authDir, AUTH_FILES.adminOperatorKey.path), formatOperatorKey(operator)],
  ] as const;
  for (const [path, content] of files) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
  }
}

/** A plain answer, and a run of states with one that was skipped, with `text` wherever it can stand. */
function hostileReturn(jid: Jid, ofStates: boolean): Row {
  const base = hostileRecord(stateResultCodec, text, ofStates ? {} : { name: 'test.echo' });
  const words = ['result', 'stdout', 'stderr', 'exitcode', 'kept', 'because', 'prereq', 'prediction'];
  const details = { ...base.details, ...Object.fromEntries(words.map((key) => [key, text])) };
  const data = hostileData(text) as WireMap;
  const results: StateResult[] = ofStates
    ? [
        { ...base, name: `file.managed:${text}`, details },
        { ...base, name: 'file.managed:b', skipped: true, error: '' },
        { ...base, name: `cmd.run:${text}`, data, error: '', changed: true },
      ]
    : [{ ...base, details, data }];
  const response = hostileRecord(execResponseCodec, text, { jid, peelId: EVIL, results });
  return hostileRecord(rowCodec, text, {
    jid,
    peelId: EVIL,
    returnData: execResponseCodec.encode(response),
    ...(ofStates ? { success: true } : {}),
  });
}

/** What a mirror and a publisher answer. */
const hostileSets = () => [
  hostileRecord(filesDifferenceCodec, text, {}),
  hostileRecord(filesDifferenceCodec, text, { added: [], changed: [], removed: [], note: '', directory: '' }),
];

function mirrorReturn(jid: Jid): Row {
  const sets = hostileSets().map((each) => decodeValue(filesDifferenceCodec.encode(each)));
  const result = stateResultCodec.create({ name: 'files.diff', data: { result: sets } });
  const response = execResponseCodec.create({ jid, peelId: EVIL, success: true, results: [result] });
  return rowCodec.create({
    jid,
    peelId: EVIL,
    success: true,
    returnData: execResponseCodec.encode(response),
  });
}

/** In the right form, so that the words are printed. */
function settingsReturn(jid: Jid, module: string): Row {
  const source = { at: text, value: text, pattern: text, top: text, included_from: [text] };
  const explanation = {
    ...{ key: text, found: true, value: { [text]: text }, strategy: text, lists: text, near: text },
    ...{ set_by: [source, source], overrode: [source], replaced_by: [source] },
  };
  const result = module === 'settings.explain' ? explanation : { [text]: text, list: [hostileData(text)] };
  const told = stateResultCodec.create({ name: module, data: { result } as WireMap });
  const response = execResponseCodec.create({ jid, peelId: EVIL, success: true, results: [told] });
  return rowCodec.create({
    ...{ jid, peelId: EVIL, success: true },
    returnData: execResponseCodec.encode(response),
  });
}

/** A publisher of another version, say. */
async function answerAsPublisher(): Promise<void> {
  const master = DEAD_MASTER;
  const reply = () => {
    const sets = [hostileRecord(filesSetReportCodec, text, {})];
    return filesReplyCodec.encode(hostileRecord(filesReplyCodec, text, { master, sets, error: '' }));
  };
  const diff = () => {
    const sets = hostileSets();
    return filesDiffReplyCodec.encode(hostileRecord(filesDiffReplyCodec, text, { master, sets, error: '' }));
  };
  const enrolled = () => {
    const record = hostileRecord(enrollmentCodec, text, { id: ENROLLMENT, peelId: EVIL, state: 'active' });
    return enrollAdminReplyCodec.encode(hostileRecord(enrollAdminReplyCodec, text, { record, error: '' }));
  };
  const unbanned = () => {
    const ban = hostileRecord(floodBanCodec, text, { peelId: EVIL });
    return peelUnbanReplyCodec.encode(hostileRecord(peelUnbanReplyCodec, text, { ban, error: '' }));
  };
  const tokenOf = () => {
    const token = hostileRecord(joinTokenCodec, text, { id: TOKEN });
    return joinTokenReplyCodec.encode(hostileRecord(joinTokenReplyCodec, text, { token, error: '' }));
  };
  for (const [subject, answerOf] of [
    [FILESERVER_STATUS_SUBJECT, reply],
    [FILESERVER_UPDATE_SUBJECT, reply],
    [FILESERVER_DIFF_SUBJECT, diff],
    ...[ENROLL_APPROVE_SUBJECT, ENROLL_REJECT_SUBJECT, ENROLL_REVOKE_SUBJECT, PEEL_TAG_SUBJECT].map(
      (subject) => [subject, enrolled] as const,
    ),
    [PEEL_UNBAN_SUBJECT, unbanned],
    [JOIN_TOKEN_CREATE_SUBJECT, tokenOf],
    [JOIN_TOKEN_REVOKE_SUBJECT, tokenOf],
  ] as const)
    await publisher.subscribe(subject, ({ reply: to = '' }) => publisher.publish(to, answerOf()));
}

function hostileAnswer(jid: Jid, module: string): Row {
  if (module === 'files.diff') return mirrorReturn(jid);
  if (module.startsWith('settings.')) return settingsReturn(jid, module);
  return hostileReturn(jid, module.startsWith('state.'));
}

function answer({ jid, module }: ExecRequest): void {
  const value = hostileAnswer(jid, module);
  evil.publish(directAnswerSubject(jid, EVIL), value.returnData);
  void evil.append(jobReturnSubject(jid, EVIL), rowCodec.encode(value), { messageId: `r.${jid}` });
}

/** Anew before each command: heartbeats go away by themselves, and a master tidies up. */
async function plant(): Promise<void> {
  const { admin } = world;
  const nowMs = testRuntime.clock.nowMs();
  const bucket = (name: keyof typeof BUCKETS) => admin.bucket(BUCKETS[name].name);
  const facts = { ...hostileData(text), [FACT_KEYS.curvePublicKey]: curveKey } as WireMap;
  await evil.bucket(BUCKETS.facts.name).put(EVIL, factsCodec.encode(facts));
  const beat = hostileRecord(peelHeartbeatCodec, text, {});
  await evil.bucket(BUCKETS.peelHeartbeat.name).put(EVIL, peelHeartbeatCodec.encode(beat));
  await bucket('facts').put(GARBLED, NONSENSE);
  await bucket('peelHeartbeat').put(GARBLED, NONSENSE);
  const master = hostileRecord(masterHeartbeatCodec, text, { masterId: DEAD_MASTER, activeJobs: [] });
  await bucket('masterHeartbeat').put(DEAD_MASTER, masterHeartbeatCodec.encode(master));
  await bucket('leases').put('stranger', new TextEncoder().encode(text));
  for (const [jid, status] of [
    [jobOfEvil, 'failed'],
    [stateJob, 'complete'],
  ] as const) {
    const job = hostileRecord(jobCodec, text, {
      jid,
      status,
      targets: [EVIL, GARBLED],
      created: nanosFromMs(nowMs),
      updated: nanosFromMs(nowMs),
      deadline: nanosFromMs(nowMs + 60_000),
    });
    await bucket('jobs').put(jobKey(jid), jobCodec.encode(job));
    const row = { ...hostileReturn(jid, jid === stateJob), outcome: 'failed' } as const;
    await bucket('jobReturns').put(jobReturnKey(jid, EVIL), rowCodec.encode(row));
    await bucket('jobReturns').put(jobReturnKey(jid, GARBLED), NONSENSE);
  }
  await bucket('jobs').put(jobKey(garbledJob), NONSENSE);
  const enrollment = hostileRecord(enrollmentCodec, text, {
    id: ENROLLMENT,
    peelId: EVIL,
    state: 'pending',
    supersededBy: '',
    changes: [{ state: 'pending', at: nanosFromMs(0), by: text, reason: text }],
    joinToken: '',
  });
  await bucket('enrollments').put(ENROLLMENT, enrollmentCodec.encode(enrollment));
  await bucket('enrollments').put(enrolledPeelKey(EVIL), new TextEncoder().encode(ENROLLMENT));
  await bucket('enrollments').put(`enr-${'garbled'.padStart(27, '0')}`, NONSENSE);
  const token = hostileRecord(joinTokenCodec, text, { id: TOKEN });
  await bucket('joinTokens').put(TOKEN, joinTokenCodec.encode(token));
  await bucket('joinTokens').put(`tok-${'garbled'.padStart(27, '0')}`, NONSENSE);
}

interface Case {
  readonly words: readonly string[];
  /** The answer of a function, and a record as data, are shown whole, however long their lines are. */
  readonly isWhole?: boolean;
  /** Records that are told as unreadable. */
  readonly tells?: readonly RegExp[];
}

/** For a command that shows nothing of the records of a fleet: why. */
type NothingForeign = string;

const PEEL_RECORDS = [/record facts of garbled cannot be read/, /record heartbeat of garbled cannot be read/];
const CASES: Readonly<Record<string, readonly Case[] | NothingForeign>> = {
  [commandName(execCommand)]: [
    { words: [EVIL, 'test.echo', 'x', '--timeout', '20s'], isWhole: true },
    { words: [EVIL, 'state.apply', 'x', '--timeout', '20s'] },
    { words: [EVIL, 'test.echo', '--direct'], isWhole: true },
    { words: [`${EVIL} or nobody\u001b[2J\u202e`, 'test.ping'] },
  ],
  'job list': [{ words: [], tells: [new RegExp(`job record ${garbledJob} cannot be read`)] }],
  'job active': [{ words: [] }],
  'job show': [
    { words: [jobOfEvil], isWhole: true, tells: [new RegExp(`row ${jobOfEvil}.garbled cannot be read`)] },
    { words: [garbledJob], tells: [/CLI_JOB_UNREADABLE/] },
    { words: ['no\u001b[2Jjob\nweb-99:'], tells: [/CLI_JOB_UNKNOWN/] },
  ],
  'job attach': [
    { words: [jobOfEvil], isWhole: true, tells: [/row of garbled cannot be read/] },
    { words: [stateJob], tells: [/row of garbled cannot be read/] },
    ...['full', 'changes', 'terse'].map((look) => ({ words: [stateJob, '--state-output', look] })),
  ],
  'job kill': [{ words: [jobOfEvil] }],
  'peel list': [{ words: [], tells: PEEL_RECORDS }],
  'peel show': [
    { words: [EVIL], isWhole: true },
    { words: [GARBLED], tells: PEEL_RECORDS },
  ],
  'peel tag': [{ words: [EVIL, 'role=web'] }, { words: ['no\u001b[2J\nweb-99:', 'role=web'] }],
  'peel unban': [{ words: [EVIL] }, { words: ['no\u001b[2J\nweb-99:'] }],
  'enroll list': [
    { words: [], tells: [/enrollment enr-0+garbled0* cannot be read/] },
    { words: ['--state', 'all'] },
  ],
  'enroll show': [{ words: [ENROLLMENT] }, { words: ['no\u001b[2J\nweb-99:'], tells: [/ENROLL_NO_MATCH/] }],
  'enroll approve': [
    { words: [ENROLLMENT, '--tag', 'role=web'] },
    { words: ['--all-pending', '--yes'] },
    { words: ['no\u001b[2J\nweb-99:'], tells: [/ENROLL_WHICH/] },
  ],
  'enroll reject': [{ words: [ENROLLMENT, '--reason', 'no\u001b[2J'] }],
  'enroll revoke': [{ words: [ENROLLMENT] }],
  'enroll token create': [{ words: ['--peel', 'no\u001b[2J\nweb-99:*'] }],
  'enroll token list': [{ words: [], tells: [/join token tok-0+garbled0* cannot be read/] }],
  'enroll token revoke': [{ words: [TOKEN] }],
  'settings show': [
    { words: [EVIL, '--timeout', '20s'], isWhole: true },
    { words: [EVIL, 'no\u001b[2Jsetting\nweb-99:', '--timeout', '20s'], tells: [/CLI_SETTING_UNKNOWN/] },
  ],
  'settings explain': [{ words: [EVIL, 'x', '--timeout', '20s'] }],
  'master list': [{ words: [] }],
  'secret set': [{ words: ['no\u001b[2J.zy', 'a\u202e\nweb-99:', '--generate'] }],
  'secret rotate': [{ words: ['x.zy', 'a.b', '--generate'] }],
  'secret list': [{ words: [] }, { words: ['--peel', EVIL] }],
  'secret reencrypt': [{ words: ['--peel', EVIL, '--no-wait'] }],
  'files status': [{ words: [], tells: [/record heartbeat of garbled cannot be read/] }],
  'files publish': [{ words: [] }],
  'files diff': [
    { words: [] },
    { words: ['--peel', EVIL] },
    { words: ['no\u001b[2Jset\nweb-99:'], tells: [/FILES_SET_UNKNOWN/] },
  ],
  doctor: [{ words: [] }],
  up: 'starts a fleet and tells its own processes',
  down: 'stops them',
  render: 'prints what a file of the operator becomes, as it is',
  lint: 'tells of files of the operator',
  sim: 'has a fleet of its own',
  'auth init': 'writes files',
  'auth upgrade': 'writes files, and tells what our own servers said',
  'auth status': [{ words: [] }],
  'auth rotate fleet-key': 'changes the keys of the fleet; who has not confirmed is told as by auth status',
  'auth rotate agents-key': 'changes the keys of the fleet; who has not confirmed is told as by auth status',
  'auth rotate operator-key': 'writes files',
  'auth operator renew': 'writes files',
  'auth operator issue': 'writes files',
  'ca init': 'writes files',
  'ca issue': 'writes files',
  'ca renew': 'writes files',
  'ca rotate-intermediate': 'writes files',
  'ca fingerprint': 'reads our own certificate',
  'ca print': 'reads our own certificate',
};

const ALL = [execCommand, ...COMMANDS];
const RUNS = ALL.flatMap((command) => {
  const cases = CASES[commandName(command)] ?? [];
  const formats = command.options.find(({ name }) => name === 'format')?.choices ?? [];
  return (typeof cases === 'string' ? [] : cases).flatMap((each) =>
    formats.map((format) => ({
      name: `${commandName(command)} ${JSON.stringify(each.words)} ${format}`,
      command,
      each,
      format,
    })),
  );
});

it('every command is tried, or says why there is nothing to try', () => {
  expect(ALL.map(commandName).filter((name) => !(name in CASES))).toEqual([]);
});

describe.each(HOSTILE_TEXTS.map((each) => [each.slice(0, 4).trim(), each] as const))(
  'words like %s',
  (_, words) => {
    it.each(RUNS)('$name', async ({ command, each, format }) => {
      text = words;
      await plant();
      const place = ['--nats-url', world.server.url, '--auth-dir', authDir, '--ca', world.trust.caFile];
      const end = await runCommand(command, [...place, '--format', format, ...each.words]);
      const all = `${end.out}\n${end.err}`;
      expect(all).not.toMatch(STEERS);
      expect(all).not.toMatch(/bug in zester/);
      expect(`${end.out}${end.err}`).not.toBe('');
      for (const told of each.tells ?? []) expect(end.err).toMatch(told);
      if (format === 'json') checkJson(command, end);
      else if (format === 'yaml') parse(end.out);
      else checkText(end, each);
    });
  },
);

/** YAML and JSON keep lines of a value inside of the value; text has to keep them from passing for ours. */
function checkText({ out, err }: CommandEnd, { isWhole = false }: Case): void {
  expect(`${out}\n${err}`).not.toMatch(FORGED);
  const longest = `${out}\n${err}`.split('\n').reduce((most, line) => Math.max(most, line.length), 0);
  if (!isWhole) expect(longest).toBeLessThan(LINE_CHARS_MAX);
}

function checkJson(command: Command, { out, err }: CommandEnd): void {
  if (out !== '') expect(schemaProblems(JSON.parse(out) as JsonData, schemaOf(command))).toEqual([]);
  const last = err.trimEnd().split('\n').at(-1) ?? '';
  if (last.startsWith('{')) expect(schemaProblems(JSON.parse(last) as JsonData, ERROR_SCHEMA)).toEqual([]);
}
