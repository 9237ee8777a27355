/**
 * `LateFaults` keeps mistakes that Jinja2 sees only after it has parsed the whole template. They are kept until then,
 * because any syntax error, even one further down, is reported before them; and among them those of the first sort come
 * first.
 */
import type { TemplateError } from '../errors.ts';

export class LateFaults {
  private blockFault: TemplateError | undefined;
  private assertionFault: TemplateError | undefined;
  private pythonFault: TemplateError | undefined;

  /** Two blocks share a name. */
  block(fault: TemplateError): void {
    this.blockFault ??= fault;
  }

  /** Found while Jinja2 compiles. */
  assertion(fault: TemplateError): void {
    this.assertionFault ??= fault;
  }

  /** Found by Python, when it reads the code that Jinja2 made. */
  python(fault: TemplateError): void {
    this.pythonFault ??= fault;
  }

  throwFirst(): void {
    const fault = this.blockFault ?? this.assertionFault ?? this.pythonFault;
    if (fault !== undefined) throw fault;
  }
}
