/** `grains.*`: facts under the names that Salt users know. */
import { aliasOf, type ExecutionFunction } from '../contract.ts';
import { factsGet, factsItems, factsKeys, factsSet } from '../facts/functions.ts';

export const GRAINS_FUNCTIONS: readonly ExecutionFunction[] = [
  aliasOf(factsGet, 'grains.get'),
  aliasOf(factsGet, 'grains.item'),
  aliasOf(factsItems, 'grains.items'),
  aliasOf(factsKeys, 'grains.keys'),
  aliasOf(factsKeys, 'grains.ls'),
  aliasOf(factsSet, 'grains.set'),
  aliasOf(factsSet, 'grains.setval'),
];
