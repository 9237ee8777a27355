/**
 * This phase of the compiler follows `use` and `use_in`: a state takes over the arguments of another one that it does not
 * have itself, as Salt does. Name, order and requisites are its own; of the `_any` kinds and `listen`, those it lacks are
 * taken too. What the other one took over itself is not passed on.
 *
 *     b:
 *       file.managed:
 *         - use:
 *           - file: a
 */
import { paramNames } from '../../params/params.ts';
import { didYouMean } from '../../suggest.ts';
import type { StateSchemas } from '../state-schema.ts';
import { NAMES_KEY, USE_KEYS } from './argument-keys.ts';
import { type Declaration, isOf } from './declaration.ts';
import type { ProblemList } from './problem-list.ts';
import { sourcePlaceOf } from './state-file.ts';
import type { Unread } from './unread.ts';
import { type RequisiteTarget, targetsOf, type WrittenArguments } from './written-arguments.ts';

/** Requisites that Salt never takes over. */
const OWN_REQUISITES = new Set(['require', 'watch', 'prereq', 'onfail', 'onchanges']);

export function useArguments(
  declarations: readonly Declaration[],
  schemas: StateSchemas,
  problems: ProblemList,
  unread: Unread,
): readonly Declaration[] {
  if (!declarations.some(({ args }) => USE_KEYS.some((key) => args.byKey.has(key)))) return declarations;
  const taken = new Map(declarations.map((declaration) => [declaration, [] as Declaration[]]));
  for (const declaration of declarations)
    for (const key of USE_KEYS)
      for (const other of usedBy(declaration, key, declarations, problems, unread)) {
        const [user, used] = key === 'use' ? [declaration, other] : [other, declaration];
        taken.get(user)?.push(used);
      }
  return declarations.map((declaration) => {
    const own = withoutUse(declaration.args);
    const args = (taken.get(declaration) ?? []).map(({ args: given }) => given);
    return { ...declaration, args: args.length === 0 ? own : takeOver(own, args, declaration, schemas) };
  });
}

function usedBy(
  declaration: Declaration,
  key: string,
  all: readonly Declaration[],
  problems: ProblemList,
  unread: Unread,
): readonly Declaration[] {
  const written = declaration.args.byKey.get(key);
  if (written === undefined) return [];
  const owner = `${declaration.module} of ${declaration.id}`;
  const targets = targetsOf({ name: key, inverse: false }, written.node, owner, written.file, problems);
  return targets.flatMap((target) => {
    const found = declarationsMeant(target, all).filter((other) => other !== declaration);
    if (found.length === 0 && !unread.mayHold(target.target))
      problems.error(
        sourcePlaceOf({ file: written.file, node: target.node }),
        `${owner}: ${key}: there is no ${target.family === undefined ? '' : `${target.family} `}state ${target.target}`,
        () =>
          didYouMean(
            target.target,
            all.map(({ id }) => id),
            'include the file that declares it',
          ),
      );
    return found;
  });
}

function declarationsMeant({ family, target }: RequisiteTarget, all: readonly Declaration[]) {
  const fits = all.filter(({ module }) => family === undefined || isOf(family, module));
  const byId = fits.filter(({ id }) => id === target);
  return byId.length > 0 ? byId : fits.filter((declaration) => isNamed(declaration, target));
}

/** Whether `name` says it. */
export function isNamed({ args }: Declaration, name: string): boolean {
  const node = args.byKey.get('name')?.node;
  return node?.kind === 'scalar' && node.source === name;
}

function withoutUse({ byKey, requisites }: WrittenArguments): WrittenArguments {
  return { byKey: new Map([...byKey].filter(([key]) => !USE_KEYS.includes(key))), requisites };
}

/** Of several that are used the later one counts. */
function takeOver(
  own: WrittenArguments,
  used: readonly WrittenArguments[],
  { module }: Declaration,
  schemas: StateSchemas,
): WrittenArguments {
  const params = Object.entries(schemas.find(module)?.params ?? {});
  const primary = params.filter(([, spec]) => spec.primary).flatMap(([name, spec]) => paramNames(name, spec));
  const kept = new Set(['name', NAMES_KEY, 'order', ...primary, ...USE_KEYS, ...own.byKey.keys()]);
  const ownKinds = new Set(own.requisites.map(({ key }) => key));
  const given = used.flatMap(({ byKey }) => [...byKey].filter(([key]) => !kept.has(key)));
  const requisites = used.flatMap((each) =>
    each.requisites.filter(({ key, inverse }) => !inverse && !OWN_REQUISITES.has(key) && !ownKinds.has(key)),
  );
  return { byKey: new Map([...own.byKey, ...given]), requisites: [...own.requisites, ...requisites] };
}
