/**
 * `plainPath` takes from a path of a machine the slashes that say nothing: `/srv//app/` and `/srv/app` are one. Links
 * are not looked at.
 */
export function plainPath(path: string): string {
  return path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
}
