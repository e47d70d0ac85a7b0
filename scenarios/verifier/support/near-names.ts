/** Names that a comparison of beginnings, of ends or without regard to case confuses with the first one. */
export function nearNames(name: string): readonly [string, ...string[]] {
  return [name, name.toLowerCase(), name.toUpperCase(), `${name}x`, `x${name}`, name.slice(0, -1)]
}
