/** Returns the text of the command-line option `--name=`. */
export function readTextOption(name: string): string | undefined {
  const prefix = `--${name}=`;
  return process.argv.find((arg) => arg.startsWith(prefix))?.slice(prefix.length);
}

/** Returns the number of the command-line option `--name=`. */
export const readNumberOption = (name: string, fallback: number): number => Number(readTextOption(name) || fallback);
