/** `TemplateModule` is an imported template: its exported names as attributes, and its text when it is printed. */
import type { CompiledTemplate } from '../compile/compiled-template.ts';
import { Frame } from '../compile/frame.ts';
import { identityKey } from '../values/hash.ts';
import { repr } from '../values/print.ts';
import { PyObject, type Value } from '../values/value.ts';
import type { TemplateContext } from './context.ts';

export class TemplateModule extends PyObject {
  override readonly typeName = 'TemplateModule';
  private readonly template: CompiledTemplate;
  private readonly exported: ReadonlyMap<string, Value>;
  readonly text: string;

  private constructor(template: CompiledTemplate, exported: ReadonlyMap<string, Value>, text: string) {
    super();
    this.template = template;
    this.exported = exported;
    this.text = text;
  }

  /** Runs the template in the context and keeps what it exports and writes. */
  static run(template: CompiledTemplate, context: TemplateContext): TemplateModule {
    const { out } = context.pass;
    const interrupted = out.beginCapture();
    template.root(new Frame(template.slots, context, undefined));
    return new TemplateModule(template, context.exportedNames(), out.endCapture(interrupted));
  }

  get name(): string | undefined {
    return this.template.givenName;
  }

  override attribute(name: string): Value | undefined {
    return this.exported.get(name);
  }
  override attributeNames(): readonly string[] {
    return [...this.exported.keys()];
  }
  override str(): string {
    return this.text;
  }
  override html(): string {
    return this.text;
  }
  override repr(): string {
    return `<TemplateModule ${repr(this.template.givenName ?? null)}>`;
  }
  override hashKey(): string {
    return identityKey(this);
  }
}
