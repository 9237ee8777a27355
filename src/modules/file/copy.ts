/** The state `file.copy` holds a file of this machine at a second place. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { optional, required, type ValuesOf, withDefault } from '../../core/params/params.ts';
import { NOTHING_TO_DO, type PlanContext, stateModule } from '../state-contract.ts';
import { planOfChange } from './change.ts';
import { accountNames, type Facets } from './facets.ts';
import { fileChangeWithParents } from './file-change.ts';
import { OWNER_PARAMS, ownerOf } from './owner.ts';
import { MAKEDIRS_PARAMS } from './parents.ts';
import { filePlaceOf, PATH_PARAMS } from './place.ts';
import { parseFileSource } from './source.ts';

const params = {
  ...PATH_PARAMS,
  source: required('string', { doc: 'The file to copy: an absolute path of this machine.' }),
  force: withDefault('boolean', false, {
    doc: 'Keep the copy equal to the source. Otherwise a file that is there is left alone.',
  }),
  preserve: withDefault('boolean', false, {
    doc: 'Take mode, user and group from the source. What is declared wins.',
  }),
  mode: optional('mode', { doc: 'Permissions. Not given: as they are, 0644 for a new file.' }),
  ...OWNER_PARAMS,
  ...MAKEDIRS_PARAMS,
};

type Values = ValuesOf<typeof params>;

export const fileCopy = stateModule({
  name: 'file.copy',
  summary: 'A copy of a file of the machine is at the path.',
  description:
    'Files only: file.recurse copies a directory. Without `force` a file that is there is not looked into.',
  params,
  examples: [
    '/etc/app.conf:\n  file.copy:\n    - source: /usr/share/app/default.conf\n',
    '/srv/backup/app.conf:\n  file.copy:\n    - source: /etc/app.conf\n    - force: true\n    - preserve: true\n    - makedirs: true\n',
  ],
  locks: ({ name }) => [name],
  async plan(values, context) {
    const { files } = context;
    const source = await openSource(values.source, context);
    const place = await filePlaceOf(values.name, 'file', files);
    if (place.there !== undefined && !values.force) return NOTHING_TO_DO;
    const facets = await wantedFacets(values, source.facets, context);
    const bytes = await source.read();
    const change = await fileChangeWithParents(
      place,
      { bytes, ...facets, showChanges: true },
      { makedirs: values.makedirs },
      { files, names: accountNames(context.accounts) },
    );
    return planOfChange(change, { bytes: String(bytes.length) });
  },
});

async function openSource(
  text: string,
  { files }: PlanContext,
): Promise<{ readonly facets: Facets; read(): Promise<Uint8Array> }> {
  const { from, path } = parseFileSource(text);
  const refuse = (reason: string) => zesterError('FILE_SOURCE_UNUSABLE', { source: text, reason });
  const missing = () => zesterError('FILE_SOURCE_MISSING', { source: text, suggestion: '' });
  if (from === 'tree') throw refuse('file.copy takes a file of this machine; file.managed takes state files');
  const there = await files.stat(path);
  if (there === undefined) throw missing();
  if (there.kind !== 'file') throw refuse('it is no regular file; file.recurse copies a directory');
  return {
    facets: { mode: there.mode, owner: { uid: there.uid, gid: there.gid } },
    read: async () => {
      const bytes = await files.read(path);
      if (bytes === undefined) throw missing();
      return bytes;
    },
  };
}

async function wantedFacets(values: Values, source: Facets, { accounts }: PlanContext): Promise<Facets> {
  const declared = await ownerOf(values, accounts);
  if (!values.preserve) return { mode: values.mode, owner: declared };
  return { mode: values.mode ?? source.mode, owner: { ...source.owner, ...declared } };
}
