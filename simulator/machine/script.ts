import { type Action, prepareStep, quote, type Scripted, type Step } from './verbs.ts'

/** Events of a machine, one step per line; or the same as data. */
export type Script = string | readonly Step[]

/** A script that cannot be parsed or executed; the message begins with the place: `script line 3: …`. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/**
 * A word is a run of characters without blanks, or a JSON string: `"/tmp/a b
 * "`.
 */
const WORD = /"(?:[^"\\]|\\.)*"(?=\s|$)|[^\s"]\S*/g

function readWord(word: string): string {
  if (!word.startsWith('"')) return word
  try {
    return JSON.parse(word) as string
  } catch {
    throw new RangeError(`${quote(word)} is not a JSON string; escape its content as JSON does`)
  }
}

function readLine(line: string): Step | undefined {
  const [verb, ...args] = (line.match(WORD) ?? []).map(readWord)
  if (line.replace(WORD, '').trim() !== '') {
    throw new RangeError('a quotation mark is not closed; write "…" with \\" for one inside')
  }
  return verb === undefined ? undefined : [verb, ...args]
}

interface Placed {
  /** `script line 3` in a text, `script step 3` in data. */
  readonly place: string
  readonly step: Step
}

function at<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw scriptError(place, cause)
  }
}

function scriptError(place: string, cause: unknown): ScriptError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ScriptError(`${place}: ${why}`, { cause })
}

function placedSteps(script: Script): readonly Placed[] {
  if (typeof script !== 'string') {
    return script.map((step, index) => ({ place: `script step ${index + 1}`, step }))
  }
  return script.split('\n').flatMap((line, index) => {
    const place = `script line ${index + 1}`
    const step = line.trimStart().startsWith('#') ? undefined : at(place, () => readLine(line))
    return step === undefined ? [] : [{ place, step }]
  })
}

/**
 * Returns the steps of a script. Blank lines and lines that begin with `#` are ignored.
 * Throws {@link ScriptError} with the line, the problem and the correct form.
 */
export function parseScript(script: Script): readonly Step[] {
  return placedSteps(script).map(({ place, step }) => {
    at(place, () => prepareStep(step))
    return step
  })
}

/** Returns the text of steps; the inverse of {@link parseScript}. */
export function writeScript(steps: readonly Step[]): string {
  const word = (one: string) => (/^[^\s"#]\S*$/.test(one) ? one : JSON.stringify(one))
  return steps.map((step) => `${step.map(word).join(' ')}\n`).join('')
}

/**
 * Executes a script on a machine. Parses all of it first, so that an invalid line has no effect.
 * Rejects with {@link ScriptError} that names the line, also if the machine refuses a step.
 */
export async function playScript(machine: Scripted, script: Script): Promise<void> {
  const actions = placedSteps(script).map(({ place, step }): { place: string; act: Action } => {
    return { place, act: at(place, () => prepareStep(step)) }
  })
  for (const { place, act } of actions) {
    await act(machine).catch((cause: unknown) => {
      throw scriptError(place, cause)
    })
  }
}
