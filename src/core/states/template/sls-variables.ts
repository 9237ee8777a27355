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
  const directory = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return {
    sls,
    slspath: directory,
    sls_path: directory.replaceAll('/', '_'),
    slsdotpath: directory.replaceAll('/', '.'),
    slscolonpath: directory.replaceAll('/', ':'),
    tplpath: path,
    tplfile: path,
    tpldir: directory === '' ? '.' : directory,
    tpldot: directory.replaceAll('/', '.'),
    tplroot: directory === '' ? '.' : directory.replace(/\/.*$/, ''),
  };
}
