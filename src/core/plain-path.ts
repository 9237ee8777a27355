/** A path of a machine without slashes that say nothing: `/srv//app/` and `/srv/app` are one. Links are not looked at. */
export function plainPath(path: string): string {
  return path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
}
