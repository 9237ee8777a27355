/** `TagHandles` knows what the short forms of tags stand for: `!!str` is `tag:yaml.org,2002:str`. */
import type { Directive, WrittenTag } from './scan-names.ts';
import type { YamlPosition } from './yaml-node.ts';
import { type YamlProblem, yamlProblem } from './yaml-problem.ts';

type Invalid = (problem: YamlProblem, at: YamlPosition) => Error;

export class TagHandles {
  private readonly invalid: Invalid;
  private readonly declared = new Map<string, string>();
  private hasVersion = false;

  constructor(invalid: Invalid) {
    this.invalid = invalid;
  }

  declare(directive: Directive, at: YamlPosition): void {
    if (directive.name === 'YAML') {
      if (this.hasVersion) throw this.invalid(yamlProblem`%YAML is there twice`, at);
      if (!/^0*1\.0*[12]$/.test(directive.version))
        throw this.invalid(yamlProblem`only YAML 1.1 and 1.2 can be read`, at);
      this.hasVersion = true;
      return;
    }
    const { handle, prefix } = directive;
    if (this.declared.has(handle)) throw this.invalid(yamlProblem`%TAG ${handle} is there twice`, at);
    this.declared.set(handle, prefix);
  }

  resolve({ handle, suffix }: WrittenTag, at: YamlPosition): string {
    if (handle === '') return suffix;
    const prefix = this.declared.get(handle) ?? DEFAULTS.get(handle);
    if (prefix === undefined)
      throw this.invalid(yamlProblem`nothing says what the tag ${handle} stands for`, at);
    return prefix + suffix;
  }
}

const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]);
