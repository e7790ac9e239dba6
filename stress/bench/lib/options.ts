/** Returns the number after `--name=`. */
export function numberOption(name: string, fallback: number): number {
  const text = process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
  return text ? Number(text) : fallback;
}
