/** The state `file.managed` holds a file with the content, mode and owner that are declared. */
import { optional, type ValuesOf, withDefault } from '../../core/params/params.ts';
import { NEW_FILE_MODE } from '../../system/file-steps.ts';
import { NOTHING_TO_DO, type PlanContext, stateModule } from '../state-contract.ts';
import { planOfChange } from './change.ts';
import { badArguments } from './edit/edit-arguments.ts';
import { accountNames, modeText } from './facets.ts';
import { fileChangeWithParents } from './file-change.ts';
import { OWNER_PARAMS, ownerOf } from './owner.ts';
import { MAKEDIRS_PARAMS } from './parents.ts';
import { filePlaceOf, PATH_PARAMS } from './place.ts';
import { grainLines, settingLines } from './setting-text.ts';
import { readSource, type SourceContent, verifySource } from './source.ts';
import { renderedBytes, TEMPLATE_PARAMS, targetVariables } from './template.ts';

const params = {
  ...PATH_PARAMS,
  source: optional('string-list', {
    doc: 'Where the content comes from: zester://path or salt://path of the state tree, or an absolute path of the machine. Of a list the first that is there.',
  }),
  source_hash: optional('string', {
    doc: 'What the source must be: sha256=…, or another hash in hexadecimal. Anything else is an error.',
  }),
  content: optional('string-list', {
    aliases: ['contents'],
    doc: 'The content itself; a list is its lines. A source wins over it.',
  }),
  contents_pillar: optional('string-list', {
    aliases: ['contents_settings'],
    doc: 'The setting that holds the content, such as web:motd.',
  }),
  contents_grains: optional('string-list', {
    aliases: ['contents_facts'],
    doc: 'The fact that holds the content.',
  }),
  contents_newline: withDefault('boolean', true, {
    doc: 'Whether content that is not from a source ends with a newline, or with none.',
  }),
  ...TEMPLATE_PARAMS,
  mode: optional('mode', { doc: 'Permissions. Not given: as they are, 0644 for a new file.' }),
  ...OWNER_PARAMS,
  ...MAKEDIRS_PARAMS,
  dir_mode: optional('mode', {
    doc: 'Permissions of directories that `makedirs` makes; 0755 when not given.',
  }),
  replace: withDefault('boolean', true, {
    doc: 'False: the content of a file that is there stays; mode and owner are still set.',
  }),
  create: withDefault('boolean', true, { doc: 'False: a file that is not there is not made.' }),
  show_changes: withDefault('boolean', true, { doc: 'False: the diff says that content changes, not how.' }),
};

type Values = ValuesOf<typeof params>;

/** Parameters that `file.managed` has in Salt and not here. */
const ONLY_IN_SALT = [
  ...['allow_empty', 'attrs', 'backup', 'check_cmd', 'contents_delimiter', 'encoding', 'encoding_errors'],
  ...['follow_symlinks', 'gnupghome', 'ignore_comment_characters', 'ignore_ordering', 'ignore_whitespace'],
  ...['keep_source', 'keyring', 'new_file_diff', 'selinux', 'sig_backend', 'signature', 'signed_by_all'],
  ...['signed_by_any', 'skip_verify', 'source_hash_name', 'source_hash_sig', 'tmp_dir', 'tmp_ext'],
  ...['use_etag', 'verify_ssl', 'win_deny_perms', 'win_inheritance', 'win_owner', 'win_perms'],
  ...['win_perms_reset'],
];

export const fileManaged = stateModule({
  name: 'file.managed',
  summary: 'A file has the given content, mode and owner.',
  description: [
    'Without source and content only mode and owner are managed, and a missing file is made empty.',
    'A link is followed, unless somebody else than root and the owner of the file made it.',
    'A template that is a source sees name, source, user, group and mode, as in Salt.',
    'With a template, a parameter that is not in the list is a variable of it, as in Salt; `zester lint` warns.',
  ].join('\n'),
  params,
  examples: [
    '/etc/motd:\n  file.managed:\n    - contents: Hello\n    - mode: 0644\n',
    '/etc/nginx/nginx.conf:\n  file.managed:\n    - source: zester://nginx/nginx.conf.jinja\n    - template: jinja\n    - context:\n        workers: 4\n    - user: root\n    - group: root\n    - makedirs: true\n',
  ],
  passesOn: { when: 'template', into: 'defaults', except: ONLY_IN_SALT },
  locks: ({ name }) => [name],
  async plan(values, context) {
    const place = await filePlaceOf(values.name, 'file', context.files);
    if (place.there === undefined && !values.create) return NOTHING_TO_DO;
    const keepsContent = place.there !== undefined && !values.replace;
    const bytes = keepsContent ? undefined : await wantedBytes(values, context);
    const owner = await ownerOf(values, context.accounts);
    const change = await fileChangeWithParents(
      place,
      { bytes, mode: values.mode, owner, showChanges: values.show_changes },
      { makedirs: values.makedirs, mode: values.dir_mode },
      { files: context.files, names: accountNames(context.accounts) },
    );
    return planOfChange(change, {
      bytes: String(bytes?.length ?? place.there?.size ?? 0),
      mode: modeText(values.mode ?? place.there?.mode ?? NEW_FILE_MODE),
    });
  },
});

/** Undefined where nothing was declared about the content. */
async function wantedBytes(values: Values, context: PlanContext): Promise<Uint8Array | undefined> {
  const { source, source_hash } = values;
  if (source !== undefined) {
    const content = await readSource(source, context);
    if (source_hash !== undefined) verifySource(content, source_hash);
    return renderedBytes(content, values, context, targetVariables({ ...values, source: content.name }));
  }
  const lines = declaredLines(values, context);
  if (lines === undefined) return undefined;
  const content = inlineContent(lines, values.contents_newline, `the contents of ${values.name}`);
  return renderedBytes(content, values, context);
}

function declaredLines(values: Values, context: PlanContext): readonly string[] | undefined {
  const { contents_pillar, contents_grains } = values;
  const content = values.content ?? (isDeclaredEmpty(context) ? [] : undefined);
  const given = [content, contents_pillar, contents_grains].filter((each) => each !== undefined);
  if (given.length > 1)
    throw badArguments(
      'file.managed',
      'only one of content, contents_pillar and contents_grains can be given',
    );
  if (contents_pillar !== undefined)
    return contents_pillar.flatMap((path) => settingLines(path, context.settings, 'file.managed'));
  if (contents_grains !== undefined)
    return contents_grains.flatMap((path) => grainLines(path, context, 'file.managed'));
  return content;
}

/** Empty text counts as not given everywhere else; `contents: ''` is how one asks for an empty file. */
function isDeclaredEmpty({ args }: PlanContext): boolean {
  return args.content === '' || args.contents === '';
}

/** Each part is one line or several; a part that ends with a newline gets no second one. */
function inlineContent(parts: readonly string[], endsWithNewline: boolean, name: string): SourceContent {
  const isEmpty = parts.every((part) => part === '') && parts.length < 2;
  const text = isEmpty ? '' : parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
  return { bytes: Buffer.from(endsWithNewline ? text : text.replace(/\n+$/, '')), name };
}
