import { RE2JS, RE2JSSyntaxException } from 're2js'
import { PolicyError } from '../../policy-error.ts'

/** Most characters of all expressions together, a counted repetition written out. */
const MAX_WRITTEN_OUT = 131_072

/** The limit relative to the length of the text: a short policy must not take long. */
const MOST_TIMES = 16
const ALWAYS_ALLOWED = 4096

/**
 * Whether a path matches one of these expressions, which are anchored at its start and not at its end.
 *
 * They run on an automaton, in time linear in the path: expressions and paths may both come from untrusted clients.
 * Upstream's are those of Python's `re`, and most mean the same here. The differences:
 * - refused with the place: lookaround `(?=` `(?!` `(?<=` `(?<!`, backreferences `\1` `(?P=n)`, conditionals `(?(1)`,
 *   atomic groups `(?>`, possessive `a++`, comments `(?#`, the flags a, L, u and x, the escapes `\Z`, `\u0041` and
 *   `\N{…}`, a repetition of more than 1000 times;
 * - `\d`, `\w`, `\s` and `\b` know ASCII only;
 * - `$` is the end of the path, and not also before a newline at its end;
 * - `a{,3}` is these five characters, and not up to three times `a`;
 * - `[[:alpha:]]`, `\pL` and `\z` have a meaning.
 *
 * @throws {PolicyError} `excludes[2]` for an expression that cannot be used
 */
export function compileExcludes(expressions: readonly string[]): (path: string) => boolean {
  if (expressions.length === 0) return () => false
  let size = 0
  let most = ALWAYS_ALLOWED
  expressions.forEach((expression, index) => {
    const place = `excludes[${index}]`
    size += writtenOut(expression)
    most = Math.min(most + MOST_TIMES * expression.length, MAX_WRITTEN_OUT)
    if (size > most)
      throw new PolicyError(
        place,
        `the expressions up to here have ${size} characters with repetitions written out, at most ${most} are allowed; use fewer, or repeat less`,
      )
    compile(expression, place)
  })
  return joined(expressions)
}

/** One automaton for all expressions, or one each if they cannot be combined (a group name used twice). */
function joined(expressions: readonly string[]): (path: string) => boolean {
  try {
    const all = RE2JS.compile(`\\A(?:${expressions.map((each) => `(?:${each})`).join('|')})`)
    return (path) => all.test(path)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const each = expressions.map((expression) => RE2JS.compile(`\\A(?:${expression})`))
    return (path) => each.some((expression) => expression.test(path))
  }
}

/** `\Q` quotes up to the end of the text: combined with others it would quote them too. */
const OPEN_QUOTE = /(?<!\\)(?:\\\\)*\\Q/

function compile(expression: string, place: string): void {
  if (OPEN_QUOTE.test(expression)) throw new PolicyError(place, 'the escape \\Q is not supported')
  try {
    RE2JS.compile(expression)
  } catch (cause) {
    throw new PolicyError(place, explain(cause), { cause })
  }
}

const WITHOUT_IT = 'is not supported, as paths are matched in linear time; write it without'

/** Error of the engine -> our text, first match. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, `lookaround ${WITHOUT_IT}`],
  [/`\\[1-9]`/, `a backreference ${WITHOUT_IT}`],
  [/`\(\?P`/, `a backreference ${WITHOUT_IT}`],
  [/`\(\?\(`/, `a conditional ${WITHOUT_IT}`],
  [/`\(\?>`/, `an atomic group ${WITHOUT_IT}`],
]

function explain(cause: unknown): string {
  if (!(cause instanceof RE2JSSyntaxException)) return 'is not a regular expression'
  const known = PROBLEMS.find(([sign]) => sign.test(cause.message))?.[1]
  if (known !== undefined) return known
  const at = cause.input === null ? '' : `, at ${JSON.stringify(cause.input.slice(0, 40))}`
  return `is not a regular expression: ${cause.error}${at}`
}

const REPETITION = /(\)?)\{(\d{1,4})(?:,(\d{0,4}))?\}/g

/** Characters of an expression when each counted repetition is written out; a group counts as the whole. */
function writtenOut(expression: string): number {
  let size = expression.length
  for (const [, group, least, most] of expression.matchAll(REPETITION))
    size += Math.max(Number(least), Number(most ?? 0)) * (group === '' ? 1 : expression.length)
  return size
}
