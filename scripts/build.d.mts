export function build(): Promise<string[]>;
export function commit(): string;
