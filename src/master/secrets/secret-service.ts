/**
 * The secret service answers operators about secrets: put this value into a settings file, which ones are there, seal them
 * anew. Every master hears the questions and only the one that publishes answers, because the settings directory that
 * counts is its own; where nobody publishes, nobody answers.
 *
 * A value comes sealed to the fleet key and goes into the file as it came: in the open it is in memory only, to see that it
 * opens and can be kept out of logs. It is in no answer and no log.
 *
 * `set` changes the file, then publishes. Dying in between leaves an edit in the directory, which is published as any other
 * edit is. The same question twice changes nothing. One change at a time.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { SECRET_CHARS_MIN } from '../../core/settings/sealed-at-rest.ts';
import { keysOfSecretPath, secretPathOf } from '../../core/settings/secret-path.ts';
import { setSecret } from '../../core/settings/set-secret.ts';
import { isSettingsPath } from '../../core/settings/settings-paths.ts';
import { printPlace } from '../../core/states/state-problem.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import type { Codec } from '../../wire/msgpack/codec.ts';
import { isTreePath } from '../../wire/names/file-keys.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import {
  SECRET_LIST_SUBJECT,
  SECRET_REENCRYPT_SUBJECT,
  SECRET_SET_SUBJECT,
} from '../../wire/names/subjects.ts';
import {
  type SecretListing,
  type SecretListRequest,
  type SecretReencryptRequest,
  type SecretReply,
  type SecretSetRequest,
  secretListRequestCodec,
  secretReencryptRequestCodec,
  secretReplyCodec,
  secretSetRequestCodec,
} from '../../wire/records/secret-admin.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import { payloadLimit } from '../dispatch/payload-limit.ts';
import type { MasterContext } from '../master-context.ts';
import { OperatorQuestions } from '../operator-questions.ts';
import { listSecrets } from './list-secrets.ts';
import { extractOptions, type MasterSettingsRead, readMasterSettings } from './master-settings-read.ts';
import { sealSecrets, unsealedPeels } from './seal-secrets.ts';

/** What the service needs of the part that publishes. */
export interface SettingsPublishing {
  /** Whether this master publishes. */
  isPublisher(): boolean;
  /** Undefined: it has no settings directory. */
  source(): SettingsDirectory | undefined;
}

/** The settings directory of a master; files are named by their paths in it. */
export interface SettingsDirectory {
  /** Undefined: there is none. Throws when it cannot be read, or is no text. */
  read(path: string): Promise<string | undefined>;
  /** Replaces the file as a whole, or makes it. */
  write(path: string, text: string): Promise<void>;
  /** Publishes what the directory has now, secrets sealed first. */
  publish(): Promise<SettingsPublished>;
}

export interface SettingsPublished {
  /** Of the settings that peels read. */
  readonly revision: number;
  /** Why it could not be published, for people; undefined when it is. */
  readonly problem: string | undefined;
}

type Answer = Partial<Omit<SecretReply, 'master' | 'error' | 'code'>>;

export class SecretService {
  private readonly context: MasterContext;
  private readonly publishing: SettingsPublishing;
  private readonly turn = new Semaphore(1);
  private readonly questions: OperatorQuestions;
  private settings: MasterSettingsRead | undefined;

  constructor(context: MasterContext, publishing: SettingsPublishing) {
    this.context = context;
    this.publishing = publishing;
    const { masterId: master } = context.identity;
    this.questions = new OperatorQuestions({
      context,
      about: 'secrets',
      isPublisher: () => publishing.isPublisher(),
      refusal: (error) => secretReplyCodec.encode(secretReplyCodec.create({ master, ...refusalOf(error) })),
    });
  }

  async start(): Promise<void> {
    const { turn } = this;
    await this.serve(SECRET_SET_SUBJECT, secretSetRequestCodec, (request) =>
      turn.run(() => this.set(request)),
    );
    await this.serve(SECRET_LIST_SUBJECT, secretListRequestCodec, (request) => this.list(request));
    await this.serve(SECRET_REENCRYPT_SUBJECT, secretReencryptRequestCodec, (request) =>
      turn.run(() => this.reencrypt(request)),
    );
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  stop(): Promise<void> {
    return this.questions.stop();
  }

  private serve<Request>(
    subject: string,
    codec: Codec<Request>,
    work: (request: Request) => Promise<Answer>,
  ): Promise<void> {
    return this.questions.serve(subject, codec, async (request) => this.encoded(await work(request)));
  }

  private async set({ file, path, sealed, mustExist, user }: SecretSetRequest): Promise<Answer> {
    const { log } = this.context.runtime;
    if (!isTreePath(file) || !isSettingsPath(file)) throw zesterError('SECRET_FILE_NAME', { file });
    const keys = keysOfSecretPath(path);
    if (keys === undefined) throw zesterError('SECRET_PATH', { path });
    const value = extractOptions(this.context.keys).openAtRest(sealed);
    if (value === undefined) throw zesterError('SECRET_SEAL', {});
    if (value.trim().length < SECRET_CHARS_MIN)
      throw zesterError('SECRET_TOO_SHORT', { min: SECRET_CHARS_MIN });
    this.context.secretBook.learn(secretPathOf(keys), value);
    const source = this.publishing.source();
    if (source === undefined) throw zesterError('SECRET_NO_DIRECTORY', {});
    const changed = setSecret({ path: file, text: await source.read(file) }, { keys, sealed, mustExist });
    if ('message' in changed)
      throw zesterError('SECRET_NOT_SET', {
        path,
        place: printPlace(changed.at),
        problem: changed.message,
        advice: changed.hint,
      });
    await source.write(file, changed.text);
    log.info('secret set', { file, path, user });
    const { revision, problem } = await source.publish();
    if (problem !== undefined) throw zesterError('SECRET_NOT_PUBLISHED', { path, file, problem });
    const all = await this.listed(this.context.facts.index.ids());
    const name = secretPathOf(keys);
    const secrets = all.filter((each) => each.file === file && each.path.split('@')[0] === name);
    const { wasPlain } = changed;
    return { secrets, settingsRevision: revision, wasPlain, unsealed: await this.unsealed(secrets) };
  }

  private async list({ peel }: SecretListRequest): Promise<Answer> {
    if (peel === '') return { secrets: await this.listed(this.context.facts.index.ids()) };
    const secrets = await this.listed([peelOf(peel)]);
    return { secrets: secrets.filter(({ peels }) => peels.length > 0) };
  }

  private async reencrypt({ peel }: SecretReencryptRequest): Promise<Answer> {
    const settings = await this.read();
    const peels = peel === '' ? this.context.facts.index.ids() : [peelOf(peel)];
    if (settings === undefined) return {};
    const { extraction, revision } = settings;
    const report = await sealSecrets(this.context, {
      extraction,
      settingsRevision: revision,
      peels,
      force: true,
    });
    const { sealed, failed } = report;
    if (failed.length > 0) throw zesterError('SECRET_NOT_SEALED', { sealed, failed: failed.join(', ') });
    return { sealed };
  }

  /** Of the peels that get one of these. By what is in the store: that it was tried does not say that they have it. */
  private async unsealed(secrets: readonly SecretListing[]): Promise<readonly PeelId[]> {
    const { extraction } = this.settings ?? {};
    const peels = [...new Set(secrets.flatMap((secret) => secret.peels))].map(peelOf);
    return extraction === undefined ? [] : unsealedPeels(this.context, { extraction, peels });
  }

  private async listed(peels: readonly PeelId[]) {
    const settings = await this.read();
    if (settings === undefined) return [];
    const { runtime, facts } = this.context;
    return listSecrets(runtime.clock, settings.extraction, peels, (peel) => facts.index.words(peel));
  }

  private async read(): Promise<MasterSettingsRead | undefined> {
    this.settings = await readMasterSettings(this.context, this.settings);
    return this.settings;
  }

  private encoded(answer: Answer): Uint8Array {
    const { bus, identity } = this.context;
    const reply = secretReplyCodec.create({ master: identity.masterId, ...answer });
    const bytes = secretReplyCodec.encode(reply);
    const max = payloadLimit(bus);
    if (bytes.length > max) throw zesterError('MASTER_ANSWER_TOO_LARGE', { bytes: bytes.length, max });
    return bytes;
  }
}

function peelOf(name: string): PeelId {
  const peel = parsePeelId(name);
  if (peel === undefined) throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: 'peel is no peel id' });
  return peel;
}
