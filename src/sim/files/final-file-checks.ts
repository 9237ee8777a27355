/**
 * These checks say what must hold of files and secrets when the faults have stopped and the operator has made the last edit:
 * it is published, every master and every peel has it, and a run on any peel uses it, with the newest secrets.
 */
import { isSuccess, rowOf } from '../../core/jobs/target-row.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { execResponseCodec } from '../../wire/records/exec.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { type ModelTree, settingsTree, statesTree } from './site-trees.ts';
import { SOURCE_NAMES } from './source-disk.ts';

/** Who does not have the newest; nothing when all is well. */
export function filesBehind({ files: { books }, operator, masters, peels }: SimWorld): readonly string[] {
  const { wanted } = operator;
  const trees = { states: statesTree(wanted.states), settings: settingsTree(wanted.settings, 'source') };
  return SOURCE_NAMES.flatMap((name) => {
    const { newest } = books[name];
    if (newest === undefined || newest.model !== wanted[name])
      return [`${name}: published is revision ${newest?.revision ?? 0}, which is not the newest tree`];
    return [
      ...masters
        .filter(({ sources }) => !isSame(sources.tree(name), trees[name]))
        .map((master) => `${name}: the directory of ${master.name} is another`),
      ...peels
        .filter((peel) => !peel.files.has(name, newest.files))
        .map((peel) => `${name}: ${peel.name} does not have revision ${newest.revision}`),
    ];
  });
}

/** The last run, on every peel. */
export function checkProbe({ observer, files: { books }, operator, peels }: SimWorld, jid: Jid): void {
  const rule = 'with faults stopped, a run uses the newest files and secrets';
  for (const peel of peels) {
    const said = observer.returns.get(`${jid}.${peel.id}`);
    const row = said && rowOf(said);
    if (row === undefined || !isSuccess(row)) {
      observer.break(rule, `${peel.name}: ${row === undefined ? 'no return' : row.error}`);
      continue;
    }
    const { statesRevision, settingsRevision } = execResponseCodec.decode(row.returnData);
    const due = [books.states.newest?.revision, books.settings.newest?.revision];
    if (statesRevision !== due[0] || settingsRevision !== due[1])
      observer.break(rule, `${peel.name} used ${statesRevision} and ${settingsRevision}, not ${due.join()}`);
    const wrong = peel.wrongSecret(operator.wanted.settings);
    if (wrong !== undefined) observer.break(rule, `${peel.name}: ${wrong} is not the newest`);
  }
}

function isSame(one: ModelTree, other: ModelTree): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}
