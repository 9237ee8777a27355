/**
 * This file finds the shell blocks of our documents. ```` ```sh ```` runs to its end and must succeed; ```` ```sh
 * background="text" ```` is started and left running, as in a terminal of its own, once it has printed the text. Other
 * languages are not run.
 */
export interface ShellBlock {
  readonly line: number;
  readonly script: string;
  /** Runs beside the following blocks once this text was printed. */
  readonly background: string | undefined;
}

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

export function shellBlocks(markdown: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  const fence = /^```sh(?<info>[^\n]*)\n(?<script>[\s\S]*?)^```$/gm;
  for (const match of markdown.matchAll(fence)) {
    const { info = '', script = '' } = match.groups ?? {};
    const line = markdown.slice(0, match.index).split('\n').length;
    blocks.push({ line, script, background: /background="([^"]+)"/.exec(info)?.[1] });
  }
  return blocks;
}
