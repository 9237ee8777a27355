/**
 * `planEdit` is the common half of every state that edits a text in place: read it, edit it, and write it back as one
 * step, with mode, owner, line ends and all that the edit is not about as they were.
 *
 * Twice: the second time nothing is left to do. That is not hoped for but tried: an edit that would change its own result
 * again is refused before anything is written.
 */
import { zesterError } from '../../../core/errors/zester-error.ts';
import { withDefault } from '../../../core/params/params.ts';
import type { ReadFiles } from '../../../system/files.ts';
import { NOTHING_TO_DO, type Plan, type PlanContext } from '../../state-contract.ts';
import { planOfChange } from '../change.ts';
import { utf8Text } from '../content-diff.ts';
import { accountNames } from '../facets.ts';
import { fileChangeWithParents } from '../file-change.ts';
import { filePlaceOf, PATH_PARAMS } from '../place.ts';
import { type Edit, type Edited, keepingForm } from './edit-text.ts';

/** Of the file before the edit. Files of this size are not edited by hand either. */
export const EDITED_BYTES_MAX = 8 * 1024 * 1024;

export const EDIT_PARAMS = {
  ...PATH_PARAMS,
  show_changes: withDefault('boolean', true, { doc: 'False: the diff says that content changes, not how.' }),
};

export interface EditedFile {
  readonly name: string;
  readonly show_changes: boolean;
}

export interface EditOptions {
  /**
   * Of a file that is not there. `made`: it is taken for an empty one, and made if the edit leaves something in it. `left`:
   * there is nothing to edit, and that is well. `error`: it should be there.
   */
  readonly absent: 'made' | 'left' | 'error';
  readonly makedirs?: boolean;
  /** Why an edit that never settles does not, for people. */
  readonly unsettled?: string;
}

export async function planEdit(
  { name, show_changes }: EditedFile,
  edit: Edit,
  { absent, makedirs = false, unsettled = 'it does not leave what it asks for' }: EditOptions,
  { files, accounts }: Pick<PlanContext, 'files' | 'accounts'>,
): Promise<Plan> {
  const place = await filePlaceOf(name, 'file', files);
  if (place.there === undefined && absent === 'error')
    throw zesterError('FILE_TO_EDIT_MISSING', { path: place.path });
  if (place.there === undefined && absent === 'left') return NOTHING_TO_DO;
  const before = place.there === undefined ? '' : await textAt(place.path, files);
  const after = taken(place.path, keepingForm(before, edit));
  if (after === before) return NOTHING_TO_DO;
  if (taken(place.path, keepingForm(after, edit)) !== after)
    throw zesterError('FILE_EDIT_UNSETTLED', { path: place.path, reason: unsettled });
  const change = await fileChangeWithParents(
    place,
    { bytes: Buffer.from(after), mode: undefined, owner: {}, showChanges: show_changes },
    { makedirs },
    { files, names: accountNames(accounts) },
  );
  return planOfChange(change);
}

async function textAt(path: string, files: ReadFiles): Promise<string> {
  const bytes = await files.read(path, { bytesMax: EDITED_BYTES_MAX });
  const text = bytes === undefined ? '' : utf8Text(bytes);
  if (text === undefined) throw zesterError('FILE_NOT_TEXT', { path });
  return text;
}

function taken(path: string, edited: Edited): string {
  if (typeof edited === 'string') return edited;
  throw zesterError('FILE_EDIT_IMPOSSIBLE', { path, reason: edited.problem });
}
