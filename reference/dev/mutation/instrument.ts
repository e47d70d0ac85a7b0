import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { messageTexts } from './message-texts.ts'

/** A change of one expression or statement of a source file, made by machine or written by hand. */
export interface SourceMutant {
  /** The name by which a build switches it on. */
  readonly active: string
  /** Stays the same while the changed text, its line and its function do. */
  readonly key: string
  readonly file: string
  /** Line of the file, from 1. */
  readonly line: number
  readonly operator: string
  readonly original: string
  readonly replacement: string
  /** The requirements that should go red, if a person has written the mutant. */
  readonly rows?: readonly string[]
  /** Why it need not be caught. */
  readonly open?: string
}

/** The text of a file with its mutants in place, none of them active, and the mutants. */
export interface Instrumented {
  readonly text: string
  readonly mutants: readonly SourceMutant[]
}

const nothing = () => undefined
const never = () => false

/** The instrumenter reports its progress; a build does not. */
const SILENT = {
  ...{
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    fatal: nothing,
  },
  ...{ isTraceEnabled: never, isDebugEnabled: never, isInfoEnabled: never },
  ...{ isWarnEnabled: never, isErrorEnabled: never, isFatalEnabled: never },
}

/** Hexadecimal digits of a hash in a key. */
const KEY_DIGITS = 10

/**
 * Places every mutant that the operators of Stryker find in a file. Texts of messages are left out: the interface does
 * not specify them. `first` is the number of the first mutant; numbers are unique in a build.
 */
export async function instrument(root: string, file: string, first: number): Promise<Instrumented> {
  const content = readFileSync(join(root, file), 'utf8')
  const instrumenter = new Instrumenter(SILENT)
  const { files, mutants } = await instrumenter.instrument(
    [{ name: file, mutate: true, content }],
    { plugins: null, excludedMutations: [], ignorers: [messageTexts] },
  )
  const lines = content.split('\n')
  const seen = new Map<string, number>()
  const made = mutants.filter(({ status }) => status !== 'Ignored')
  const placed = made.map(({ mutatorName, replacement, location }, at): SourceMutant => {
    const original = textBetween(lines, location)
    const line = lines[location.start.line] ?? ''
    const identity = [file, mutatorName, line.trim(), original, replacement].join('\0')
    const repeated = seen.get(identity) ?? 0
    seen.set(identity, repeated + 1)
    const hash = createHash('sha256').update(`${identity}\0${repeated}`).digest('hex')
    return {
      active: String(first + at),
      key: `${file}#${hash.slice(0, KEY_DIGITS)}`,
      file,
      line: location.start.line + 1,
      operator: mutatorName,
      original,
      replacement,
    }
  })
  const numbers = new Map(made.map(({ id }, at) => [id, String(first + at)]))
  return { text: renumber(stoppable(files[0]?.content ?? content), numbers), mutants: placed }
}

const COUNTING = 'function cover() {'

/** Lets the counting of coverage be switched off: it takes longer than the code that it counts. */
function stoppable(text: string): string {
  return text.replace(COUNTING, `${COUNTING} if (ns.countsNothing) return;`)
}

/** The calls that Stryker puts into a text: one asks whether a mutant is active, the other counts coverage. */
const CALL = /\b(stryMutAct_9fa48|stryCov_9fa48)\(([^()]*)\)/g

function renumber(text: string, numbers: ReadonlyMap<string, string>): string {
  return text.replace(CALL, (_call, name: string, words: string) => {
    const renamed = words.replace(/"(\d+)"/g, (_word, id: string) => `"${numbers.get(id) ?? id}"`)
    return `${name}(${renamed})`
  })
}

interface Place {
  readonly line: number
  readonly column: number
}

function textBetween(
  lines: readonly string[],
  { start, end }: { readonly start: Place; readonly end: Place },
): string {
  const inside = lines.slice(start.line, end.line + 1)
  const last = inside.length - 1
  return inside
    .map((line, at) =>
      line.slice(at === 0 ? start.column : 0, at === last ? end.column : undefined),
    )
    .join('\n')
}
