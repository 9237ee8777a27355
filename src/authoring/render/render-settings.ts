/**
 * `renderSettings` resolves a directory of settings for `zester render`: for a template the settings themselves, and for a
 * file of the settings tree what it is rendered to at its place, with the settings of the files before it. Secrets are shown as
 * placeholders: what is printed may be kept.
 */
import { relative } from 'node:path';
import type { DataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import { finishSettings } from '../../core/settings/resolve-settings.ts';
import { isSettingsPath } from '../../core/settings/settings-paths.ts';
import { compileSourceTree } from '../../core/settings/source-tree.ts';
import type { RenderSettingsFile } from '../../core/states/template/state-templates.ts';
import {
  isSettingsTree,
  type LocalSettingsInput,
  namesIn,
  readPlainSettings,
} from '../../peel/states/local-settings.ts';
import { localTree } from '../../peel/states/local-tree.ts';

/** A text, where `file` is one of the tree in `dir`. Rejects with its TemplateError, or with SETTINGS_INVALID. */
export async function renderSettings(
  dir: string,
  file: string,
  input: LocalSettingsInput,
): Promise<DataMap | string> {
  const names = await namesIn(input.files, dir);
  if (!isSettingsTree(names)) return (await readPlainSettings(input.files, dir, names)).settings;
  const path = relative(dir, file);
  const isOwn = !path.startsWith('..') && isSettingsPath(path);
  let text: string | undefined;
  let failure: TemplateError | undefined;
  const aroundRender = (render: RenderSettingsFile): RenderSettingsFile => {
    return async (asked, settings, variables) => {
      try {
        const rendered = await render(asked, settings, variables);
        if (asked.path === path) text = rendered.text;
        return rendered;
      } catch (error) {
        if (asked.path === path && error instanceof TemplateError) failure = error;
        throw error;
      }
    };
  };
  const compiled = await compileSourceTree({ ...input, tree: localTree(input.files, dir), aroundRender });
  if (isOwn && failure !== undefined) throw failure;
  if (isOwn && text !== undefined) return text;
  // Nothing is put in the places of secrets: only what is wrong is told.
  finishSettings(compiled, { peelId: input.peelId, secrets: everySecret(compiled.secrets) });
  if (isOwn) throw zesterError('RENDER_NOT_GIVEN', { file: path, peel: input.peelId });
  return compiled.merge.data;
}

function everySecret(secrets: readonly { readonly path: string }[]): ReadonlyMap<string, string> {
  return new Map(secrets.map(({ path }) => [path, '']));
}
