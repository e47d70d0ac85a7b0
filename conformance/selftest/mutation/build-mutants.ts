import { execFileSync } from 'node:child_process'
import { packageRoot } from '../../input/package-root.ts'
import { loadClassified } from './classified.ts'
import type { Mutant } from './judge.ts'

/** A mutant of a build, with what a reader needs to find it. */
export interface BuiltMutant extends Mutant {
  readonly line: number
  readonly operator: string
  readonly original: string
  readonly replacement: string
  /** Why it need not be caught. */
  readonly open?: string
}

/** What a build contains: the mutants of folders, or without any the defects of data files, all by default. */
interface Contents {
  readonly area?: readonly string[]
  readonly edits?: readonly string[]
}

interface MutatedProgram {
  /** Its path. */
  readonly program: string
  readonly mutants: readonly BuiltMutant[]
}

/** Builds the reference with its mutants, in a process of its own: the two sides share no code. */
export function buildMutants({ area = [], edits = [] }: Contents): MutatedProgram {
  const words = ['bin/dev.js', 'reference/dev/mutation/main.ts', ...area]
  const files = edits.map((name) => `${name}.yaml`)
  const cwd = packageRoot()
  const printed = execFileSync(process.execPath, [...words, ...files], { cwd, maxBuffer: 2 ** 30 })
  const { program, mutants }: MutatedProgram = JSON.parse(printed.toString())
  const classified = loadClassified()
  const withClass = (mutant: BuiltMutant): BuiltMutant => {
    const open = classified.get(mutant.key)
    return open === undefined ? mutant : { ...mutant, open }
  }
  return { program, mutants: mutants.map(withClass) }
}
