/**
 * Removes certain characters from the end of a string. A regular expression (`/0+$/`) is retried at each position
 * of a long run inside the string, which takes hours for a megabyte.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
