/**
 * This file finds the shell blocks of our documents. ```` ```sh ```` runs to its end and must succeed; ```` ```sh
 * background="text" ```` is started and left running, as in a terminal of its own, once it has printed the text. Other
 * languages are not run.
 *
 * On a page for several machines every block names those on which it is run, one after the other: ```` ```sh
 * machine="nats-1 nats-2" ````. A ```` ```text prints ```` block after it shows what it prints on the last of them. Such
 * pages are in `MACHINE_PAGES` and run by production.test.ts, all others by docs.test.ts; a block that neither would run
 * as it reads is an error here.
 */
export interface ShellBlock {
  readonly line: number;
  readonly script: string;
  /** Runs beside the following blocks once this text was printed. */
  readonly background: string | undefined;
  /** None: where the repository is. */
  readonly machines: readonly string[];
  /** Lines that it prints, in this order and among others; … stands for any text. */
  readonly prints: readonly string[];
}

export const MACHINE_PAGES: readonly string[] = ['docs/guides/production.md'];

/** A command in a ```` ```text ```` block, after a `$`, with what the page says it prints. */
export interface SampleBlock {
  readonly command: string;
  readonly printed: string;
}

export function sampleBlocks(markdown: string): SampleBlock[] {
  const fence = /^```text\n\$ (?<command>bin\/zester [^\n]*)\n(?<printed>[\s\S]*?)^```$/gm;
  return [...markdown.matchAll(fence)].map(({ groups }) => ({
    command: groups?.command ?? '',
    printed: groups?.printed ?? '',
  }));
}

/** The blocks of a page. */
export function shellBlocks(page: string, markdown: string): ShellBlock[] {
  const fence =
    /^```sh(?<info>[^\n]*)\n(?<script>[\s\S]*?)^```$(?:\n+```text prints\n(?<printed>[\s\S]*?)^```$)?/gm;
  const blocks = [...markdown.matchAll(fence)].map(({ index, groups }): ShellBlock => {
    const { info = '', script = '', printed = '' } = groups ?? {};
    const line = markdown.slice(0, index).split('\n').length;
    const { machine, background } =
      /^(?: machine="(?<machine>[^"]+)")?(?: background="(?<background>[^"]+)")?$/.exec(info)?.groups ?? {};
    const isRead = info === '' || machine !== undefined || background !== undefined;
    if (!isRead) throw new Error(`${page}:${line}: a block with${info} is run by no test`);
    if ((machine !== undefined) !== MACHINE_PAGES.includes(page))
      throw new Error(
        `${page}:${line}: blocks of ${MACHINE_PAGES.join(', ')} say on which machine they run, no others`,
      );
    const prints = printed.split('\n').filter(Boolean);
    return { line, script, background, machines: machine?.split(' ') ?? [], prints };
  });
  const shown = markdown.match(/^```text prints$/gm)?.length ?? 0;
  if (shown !== blocks.filter(({ prints }) => prints.length > 0).length)
    throw new Error(`${page}: a “text prints” block stands right after the block that prints it`);
  return blocks;
}
