/** Letters, digits and a few signs of ASCII: names and paths that no terminal and no shell reads as something else. */
export function isPlainName(name: string): boolean {
  return /^[\w.+@=, /-]{1,255}$/.test(name)
}
