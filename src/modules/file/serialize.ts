/** The state `file.serialize` holds a file with data, as JSON or YAML. */
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { optional, type ValuesOf, withDefault } from '../../core/params/params.ts';
import type { YamlData } from '../../core/yaml/yaml-data.ts';
import { NOTHING_TO_DO, type PlanContext, stateModule } from '../state-contract.ts';
import { planOfChange } from './change.ts';
import { utf8Text } from './content-diff.ts';
import {
  dataText,
  isMap,
  mergeData,
  parseDataText,
  SERIALIZERS,
  type Serializer,
  yamlOfData,
} from './data-text.ts';
import { badArguments } from './edit/edit-arguments.ts';
import { accountNames } from './facets.ts';
import { fileChangeWithParents } from './file-change.ts';
import { OWNER_PARAMS, ownerOf } from './owner.ts';
import { MAKEDIRS_PARAMS } from './parents.ts';
import { type FilePlace, filePlaceOf, PATH_PARAMS } from './place.ts';
import { settingValue } from './setting-text.ts';

const params = {
  ...PATH_PARAMS,
  dataset: optional('data', { doc: 'The data: a map or a list.' }),
  dataset_pillar: optional('string', {
    aliases: ['dataset_settings'],
    doc: 'The setting that holds the data, such as app:config.',
  }),
  serializer: withDefault('string', 'yaml', {
    aliases: ['formatter'],
    doc: 'How it is written: json or yaml.',
  }),
  merge_if_exists: withDefault('boolean', false, {
    doc: 'Add the data to what the file holds, instead of replacing it. Maps are merged at every depth.',
  }),
  mode: optional('mode', { doc: 'Permissions. Not given: as they are, 0644 for a new file.' }),
  ...OWNER_PARAMS,
  ...MAKEDIRS_PARAMS,
  create: withDefault('boolean', true, { doc: 'False: a file that is not there is not made.' }),
  show_changes: withDefault('boolean', true, { doc: 'False: the diff says that content changes, not how.' }),
};

type Values = ValuesOf<typeof params>;

export const fileSerialize = stateModule({
  name: 'file.serialize',
  summary: 'A file holds the given data, as JSON or YAML.',
  description:
    'Keys are sorted, so that the same data is always the same file. Comments of a file are not kept.',
  params,
  examples: [
    '/etc/docker/daemon.json:\n  file.serialize:\n    - serializer: json\n    - merge_if_exists: true\n    - dataset:\n        log-driver: journald\n',
    '/etc/app.yaml:\n  file.serialize:\n    - dataset_pillar: app:config\n    - mode: 0640\n',
  ],
  locks: ({ name }) => [name],
  async plan(values, context) {
    const serializer = serializerOf(values.serializer);
    const declared = declaredData(values, context);
    const place = await filePlaceOf(values.name, 'file', context.files);
    if (place.there === undefined && !values.create) return NOTHING_TO_DO;
    const data = values.merge_if_exists ? await merged(place, declared, serializer, context) : declared;
    const bytes = Buffer.from(dataText(data, serializer));
    const owner = await ownerOf(values, context.accounts);
    const change = await fileChangeWithParents(
      place,
      { bytes, mode: values.mode, owner, showChanges: values.show_changes },
      { makedirs: values.makedirs },
      { files: context.files, names: accountNames(context.accounts) },
    );
    return planOfChange(change, { bytes: String(bytes.length), serializer });
  },
});

function serializerOf(text: string): Serializer {
  const known = SERIALIZERS.find((serializer) => serializer === text.toLowerCase());
  if (known !== undefined) return known;
  throw badArguments('file.serialize', `serializer must be ${SERIALIZERS.join(' or ')}, not ${text}`);
}

function declaredData({ dataset, dataset_pillar }: Values, { settings }: PlanContext): YamlData {
  if (dataset !== undefined && dataset_pillar !== undefined)
    throw badArguments('file.serialize', 'only one of dataset and dataset_pillar can be given');
  const value = dataset_pillar === undefined ? dataset : settingValue(dataset_pillar, settings);
  if (value === undefined) throw badArguments('file.serialize', 'dataset is missing');
  const data = yamlOfData(value);
  if (isMap(data) || Array.isArray(data)) return data;
  throw badArguments('file.serialize', `${dataset_pillar ?? 'dataset'} must be a map or a list`);
}

async function merged(
  { path, there }: FilePlace,
  declared: YamlData,
  serializer: Serializer,
  { files }: PlanContext,
): Promise<YamlData> {
  const bytes = there === undefined ? undefined : await files.read(path);
  if (bytes === undefined) return declared;
  const refuse = (reason: string, cause?: unknown) =>
    zesterError('FILE_NOT_MERGEABLE', { path, reason }, cause === undefined ? {} : { cause });
  const text = utf8Text(bytes);
  if (text === undefined) throw refuse('it is not text');
  const held = parsed(text, serializer, path, (reason, cause) => refuse(reason, cause));
  if (held === null) return declared;
  if (isMap(held) && isMap(declared)) return mergeData(held, declared);
  throw refuse(isMap(held) ? 'the dataset is no map' : 'it holds no map');
}

function parsed(
  text: string,
  serializer: Serializer,
  path: string,
  refuse: (reason: string, cause?: unknown) => Error,
): YamlData {
  try {
    const data = parseDataText(text, serializer, path);
    if (data !== undefined) return data;
  } catch (error) {
    if (!isZesterError(error, 'YAML_INVALID')) throw error;
    throw refuse(`line ${error.at?.line ?? 1}: ${error.message}`, error);
  }
  throw refuse(`it is no valid ${serializer}`);
}
