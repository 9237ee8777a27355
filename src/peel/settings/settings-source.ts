/**
 * A settings source gives the settings of this peel to whoever runs something: the settings service of a peel
 * (settings-service.ts), or a directory of this machine, for a call without masters and for a machine that was built with
 * its settings.
 *
 * A directory with a top file is a tree as masters have it, and its secrets are plain text there: they get placeholders and
 * are known to the book of secrets before anything is rendered, as a publisher would do it. Without a top file its YAML files
 * are merged in the order of their names. It is read anew whenever somebody asks.
 */
import type { SecretBook } from '../../core/redact/secret-book.ts';
import type { ResolvedSettings } from '../../core/settings/resolved-settings.ts';
import { readLocalSettings } from '../states/local-settings.ts';
import { type SettingsHost, treeInput } from './resolve-tree.ts';

export interface SettingsSource {
  /** Throws where the settings cannot be had: no states run without them. */
  use(signal: AbortSignal): Promise<SettingsUse>;
}

export interface SettingsUse {
  readonly resolved: ResolvedSettings;
  /** Of the published files that they are from; 0: from none. */
  readonly revision: number;
  /** Why they may not be the newest; empty when nothing is wrong. */
  readonly note: string;
}

/** No directory, no settings. */
export function directorySettings(
  host: SettingsHost,
  dir: string | undefined,
  secrets: SecretBook,
): SettingsSource {
  return {
    async use(signal) {
      const resolved = await readLocalSettings(dir, {
        ...treeInput(host, signal),
        files: host.system.files,
        learn: (path, value) => secrets.learn(path, value),
      });
      return { resolved, revision: 0, note: '' };
    },
  };
}
