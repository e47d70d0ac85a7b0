import { createInterface } from 'node:readline/promises'
import { SetupFault } from '../input/fault.ts'
import type { InitOptions } from './doctor-options.ts'

/** What `assay init` needs before it can probe a deployment; one of the URLs may be empty. */
export interface Answers {
  readonly verifier: string
  readonly registrar: string
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly name: string
}

/** Prompts the user and returns the typed line; absent without a terminal. */
export type Ask = (question: string) => Promise<string>

const QUESTIONS: readonly (readonly [keyof Answers, string])[] = [
  ['verifier', 'https URL of the verifier (empty: none): '],
  ['registrar', 'https URL of the registrar (empty: none): '],
  ['ca', 'PEM file with the CA of the server certificates: '],
  ['cert', "PEM file with an administrator's client certificate: "],
  ['key', 'PEM file with the key of that certificate: '],
  ['name', 'name of the deployment in reports: '],
]

function isOptional(key: keyof Answers, answers: Partial<Answers>): boolean {
  if (key === 'verifier') return Boolean(answers.registrar)
  return key === 'registrar' && Boolean(answers.verifier)
}

/** Names every missing option at once; of the two URLs one is enough. */
function refuseMissing(missing: readonly (keyof Answers)[], why = ''): never {
  const options = missing.map((key) => `--${key}`).join(', ')
  const either = options.replace('--verifier, --registrar', '--verifier or --registrar')
  throw new SetupFault(`missing options: ${either}${why}`, {
    next: 'assay init --help lists the options',
  })
}

/**
 * Completes options by prompts. Throws a {@link SetupFault} that names the missing options if there is no terminal, or
 * one that gets an empty answer.
 */
export async function interview(options: InitOptions, ask: Ask | undefined): Promise<Answers> {
  const answers: Partial<Record<keyof Answers, string>> = {}
  for (const [key] of QUESTIONS) {
    const given = options[key]
    if (given !== undefined) answers[key] = given
  }
  const missing = QUESTIONS.filter(([key]) => answers[key] === undefined)
  const required = missing.map(([key]) => key).filter((key) => !isOptional(key, answers))
  if (ask === undefined && required.length > 0)
    refuseMissing(required, '; there is no terminal to ask for them')
  for (const [key, question] of missing) {
    const typed = (await ask?.(question))?.trim() ?? ''
    if (typed === '' && !isOptional(key, answers) && key !== 'verifier') refuseMissing([key])
    answers[key] = typed
  }
  const { verifier = '', registrar = '', ca = '', cert = '', key = '', name = '' } = answers
  return { verifier, registrar, ca, cert, key, name }
}

/** Prompts on the terminal; undefined if standard input is not a terminal. */
export function terminalAsk(): { readonly ask: Ask; readonly close: () => void } | undefined {
  if (!process.stdin.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  return { ask: (question) => terminal.question(question), close: () => terminal.close() }
}
