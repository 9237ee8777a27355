/** `slsVariables` says what a state file knows of its own place, under the names that Salt gives it. Pure. */

export type SlsVariables = Readonly<
  Record<
    | 'sls'
    | 'slspath'
    | 'sls_path'
    | 'slsdotpath'
    | 'slscolonpath'
    | 'tplpath'
    | 'tplfile'
    | 'tpldir'
    | 'tpldot'
    | 'tplroot',
    string
  >
>;

/** `path` is that of the file in the tree, `sls` the name it is included under. */
export function slsVariables(path: string, sls: string): SlsVariables {
  const directory = directoryOf(path);
  return {
    sls,
    slspath: directory,
    sls_path: directory.replaceAll('/', '_'),
    slsdotpath: directory.replaceAll('/', '.'),
    slscolonpath: directory.replaceAll('/', ':'),
    tplpath: path,
    ...tplVariables(path),
    tplroot: directory === '' ? '.' : directory.replace(/\/.*$/, ''),
  };
}

/** What Salt tells a file of its place that is imported without context, too; all else it knows from the state file. */
export function tplVariables(path: string): Pick<SlsVariables, 'tplfile' | 'tpldir' | 'tpldot'> {
  const directory = directoryOf(path);
  return {
    tplfile: path,
    tpldir: directory === '' ? '.' : directory,
    tpldot: directory.replaceAll('/', '.'),
  };
}

function directoryOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
