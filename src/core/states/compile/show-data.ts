/**
 * These functions turn compiled states into plain data for people who want to see what their files came to
 * (`state.show_sls`, `state.show_low_sls`). Values of sensitive parameters are left out.
 */
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import { paramNames } from '../../params/params.ts';
import { forbiddenKey, valueOfYaml } from '../../params/yaml-arguments.ts';
import { type CompiledState, NO_ATTRIBUTES, REQUISITE_KINDS } from '../compiled-state.ts';
import type { StateSchemas } from '../state-schema.ts';
import type { Declaration } from './declaration.ts';

const HIDDEN = '[hidden]';

/** Declarations by id, with the file each id came from: what Salt calls high data. */
export function highData(declarations: readonly Declaration[], schemas: StateSchemas): WireMap {
  const high = new Map<string, Map<string, WireValue>>();
  for (const declaration of declarations) {
    const { id, module, file } = declaration;
    const functions = high.get(id) ?? new Map<string, WireValue>([['__sls__', file.sls]]);
    functions.set(module, argumentList(declaration, schemas));
    high.set(id, functions);
  }
  return Object.fromEntries([...high].map(([id, functions]) => [id, Object.fromEntries(functions)]));
}

function argumentList({ module, args }: Declaration, schemas: StateSchemas): readonly WireValue[] {
  const hidden = sensitiveNames(module, schemas);
  const parameters = [...args.byKey].map(([key, { node }]) => ({
    [key]: hidden.has(key) || forbiddenKey(node) !== undefined ? HIDDEN : valueOfYaml(node),
  }));
  const keys = [...new Set(args.requisites.map(({ key }) => key))];
  const requisites = keys.map((key) => ({
    [key]: args.requisites
      .filter((requisite) => requisite.key === key)
      .map(({ family, target }) => (family === undefined ? target : { [family]: target })),
  }));
  return [...parameters, ...requisites];
}

/** One entry for each state, with its requisites resolved: what Salt calls low data. */
export function lowData(states: readonly CompiledState[], schemas: StateSchemas): readonly WireMap[] {
  return states.map((state) => lowChunk(state, schemas));
}

function lowChunk(state: CompiledState, schemas: StateSchemas): WireMap {
  const { module, id, about, sls, args, requisites, attributes } = state;
  const [family = '', fun = ''] = module.split('.');
  const hidden = sensitiveNames(module, schemas);
  const shown = Object.entries(args).map(([key, value]) => [key, hidden.has(key) ? HIDDEN : value]);
  const given = REQUISITE_KINDS.filter((kind) => requisites[kind].length > 0);
  const { onlyif, unless, order, retry, failhard } = attributes;
  return {
    name: hidden.has('name') ? HIDDEN : about,
    ...Object.fromEntries(shown),
    ...Object.fromEntries(given.map((kind) => [kind, requisites[kind]])),
    ...(onlyif.length === 0 ? {} : { onlyif }),
    ...(unless.length === 0 ? {} : { unless }),
    ...(retry === undefined
      ? {}
      : {
          retry: {
            attempts: retry.attempts,
            interval: retry.intervalMs / 1_000,
            ...(retry.splayMs === 0 ? {} : { splay: retry.splayMs / 1_000 }),
          },
        }),
    ...(failhard === NO_ATTRIBUTES.failhard ? {} : { failhard }),
    order,
    state: family,
    fun,
    __id__: id,
    __sls__: sls,
  };
}

/** Every name of every sensitive parameter. */
function sensitiveNames(module: string, schemas: StateSchemas): ReadonlySet<string> {
  const params = Object.entries(schemas.find(module)?.params ?? {});
  return new Set(
    params.filter(([, spec]) => spec.sensitive).flatMap(([name, spec]) => paramNames(name, spec)),
  );
}
