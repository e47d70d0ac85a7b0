/**
 * Text from the wire may contain any character. These functions spell out every character that a terminal, a browser
 * or an XML parser would interpret or hide.
 */

/**
 * Controls, format characters (bidirectional and zero-width ones), unpaired surrogates, separators, noncharacters.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

const UNSEEN_PIECE = new RegExp(`(${UNSEEN.source})`, 'u')

/** A fast test first: most texts are printable ASCII. */
const MAYBE_UNSEEN = /[^\n\t -~]/

const NAMED: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' }

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

const spell = (character: string): string => {
  const named = NAMED[character]
  if (named !== undefined) return named
  const code = character.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${hex(code, 2)}`
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 1)}}`
}

/** The text with every invisible character except newline and tab spelled out, e.g. ESC as `\x1b`. */
export const visible = (text: string): string =>
  MAYBE_UNSEEN.test(text) ? text.replace(UNSEEN, spell) : text

/** The text in pieces, each with whether it was spelled out. */
export const seenPieces = (
  text: string,
): readonly { readonly text: string; readonly spelled: boolean }[] => {
  if (!MAYBE_UNSEEN.test(text)) return [{ text, spelled: false }]
  return text
    .split(UNSEEN_PIECE)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const shown = visible(piece)
      return { text: shown, spelled: shown !== piece }
    })
}

/** As `visible`, on one line: newline and tab are spelled out too. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]/g, spell)

/** The first `limit` characters, one fewer if that would split a surrogate pair. */
export const cutAt = (text: string, limit: number): string =>
  text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')

/** At most `limit` characters on one line; a cut text ends with its length. */
export const shortLine = (text: string, limit: number): string => {
  const line = visibleLine(text)
  if (line.length <= limit) return line
  return `${visibleLine(cutAt(text, limit))}… [${thousands(text.length)} characters]`
}

/** `14312` as `14,312`. */
export const thousands = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** `1 check`, `2 checks`; `plural` is for nouns without a plural in s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${thousands(count)} ${count === 1 ? noun : plural}`

/** A duration: `412 ms`, `12.4 s`, `3 min 05 s`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}
