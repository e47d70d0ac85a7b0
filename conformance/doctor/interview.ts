import { createInterface } from 'node:readline/promises'
import { SetupFault } from '../input/fault.ts'
import type { InitOptions } from './doctor-options.ts'

/** What must be known before a deployment can be looked at; one of the urls may be empty. */
export interface Answers {
  readonly verifier: string
  readonly registrar: string
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly name: string
}

/** Puts a question to a person and gives what was typed; absent when nobody sits there. */
export type Ask = (question: string) => Promise<string>

const QUESTIONS: readonly (readonly [keyof Answers, string])[] = [
  ['verifier', 'https URL of the verifier (empty: there is none): '],
  ['registrar', 'https URL of the registrar (empty: there is none): '],
  ['ca', 'PEM file with the CA of the server certificates: '],
  ['cert', "PEM file with an administrator's client certificate: "],
  ['key', 'PEM file with the key of that certificate: '],
  ['name', 'name of what is judged, as it shall stand in reports: '],
]

function isOptional(key: keyof Answers, said: Partial<Answers>): boolean {
  if (key === 'verifier') return Boolean(said.registrar)
  return key === 'registrar' && Boolean(said.verifier)
}

function refuseMissing(key: keyof Answers): never {
  throw new SetupFault(`--${key} is missing, and nobody is here to be asked`, {
    next: 'assay init --help lists the options',
  })
}

/** Completes options with what a person says. Throws a {@link SetupFault} that names the option when nobody can be asked. */
export async function interview(options: InitOptions, ask: Ask | undefined): Promise<Answers> {
  const said: Partial<Record<keyof Answers, string>> = {}
  for (const [key] of QUESTIONS) {
    const given = options[key]
    if (given !== undefined) said[key] = given
  }
  for (const [key, question] of QUESTIONS) {
    if (said[key] !== undefined) continue
    const typed = (await ask?.(question))?.trim() ?? ''
    if (typed === '' && !isOptional(key, said) && !(ask && key === 'verifier')) refuseMissing(key)
    said[key] = typed
  }
  const { verifier = '', registrar = '', ca = '', cert = '', key = '', name = '' } = said
  return { verifier, registrar, ca, cert, key, name }
}

/** Asks on the terminal; undefined when standard input is none. */
export function terminalAsk(): { readonly ask: Ask; readonly close: () => void } | undefined {
  if (!process.stdin.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  return { ask: (question) => terminal.question(question), close: () => terminal.close() }
}
