/**
 * A text without those of some characters that it ends in. A regular expression (`/0+$/`) tries anew at each of a long run
 * that something follows, which takes hours for a megabyte of them.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
