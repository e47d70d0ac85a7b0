import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

/** Required outcomes of adversarial evidence; `either` means any outcome, the same every time. */
const ADVERSARIAL_OUTCOMES = [
  'malformed',
  'broken_evidence_chain',
  'policy_violation',
  'pass',
  'either',
] as const
type AdversarialOutcome = (typeof ADVERSARIAL_OUTCOMES)[number]

type Members = Readonly<Record<string, unknown>>

/** A baseline with one change. Each of several changes is one input, with the same outcome. */
export interface AdversarialVariant {
  readonly case: number
  readonly id: string
  readonly what: string
  readonly of: string
  readonly change: Members | readonly Members[]
  readonly outcome: AdversarialOutcome
}

/** One file of `fixtures/adversarial/`. */
export interface AdversarialFile {
  readonly section: string
  readonly baselines: Readonly<Record<string, Members>>
  readonly variants: readonly AdversarialVariant[]
}

const FOLDER = join(packageRoot(), 'fixtures', 'adversarial')

/** Names of the files, without `.json`. */
export function adversarialFileNames(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''))
    .sort()
}

/** One file, unexpanded: long strings are still in their short form. */
export function loadAdversarialFile(name: string): AdversarialFile {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as AdversarialFile
}

/** The inputs of a variant: the baseline's members, replaced by those of each change. */
export function inputsOf(
  { baselines }: AdversarialFile,
  { of, change }: AdversarialVariant,
): readonly Members[] {
  const changes: readonly Members[] = Array.isArray(change) ? change : [change]
  return changes.map((one) => ({ ...baselines[of], ...one }))
}

/** Expands every `$repeat`, `$concat` and `$json` in a value. */
export function writeOut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(writeOut)
  if ('$repeat' in value && 'count' in value) {
    return String(value.$repeat).repeat(Number(value.count))
  }
  if ('$json' in value) return JSON.parse(String(value.$json))
  if ('$concat' in value) return (writeOut(value.$concat) as readonly string[]).join('')
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, writeOut(one)]))
}
