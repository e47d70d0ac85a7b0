import type { Measuring } from '../platform/measuring.ts'
import { digest } from '../tpm/hash.ts'
import { text } from '../tpm/write.ts'
import type { Fault } from './fault.ts'

/** A name on which an expression with nested repetition backtracks: 240 characters, the last of which never fits. */
const CATASTROPHIC = `/${'a'.repeat(238)}!`

/**
 * A name that starts a new line in the text list, which then looks like the entry of a good file to whoever splits
 * lines at any white space: the kernel makes blanks into `_`, and leaves tabs and newlines.
 */
const INJECTED = `/tmp/x\n10\t${'ab'.repeat(20)}\tima-ng\tsha256:${'00'.repeat(32)}\t/usr/bin/good`

function runs(path: string): (machine: Measuring) => Promise<void> {
  return async (machine) => {
    await machine.measure(path, digest('sha256', text(path)))
  }
}

function named(name: string, what: string, cases: readonly number[], path: string): Fault {
  return { name, what, cases, outcome: 'policy', mutations: {}, happens: runs(path) }
}

/** Files that really run, under names that are hard on whoever reads the list. */
export const NAME_FAULTS: readonly Fault[] = [
  named('name-injected-line', 'a file runs whose name has a whole entry in it', [63], INJECTED),
  named(
    'name-catastrophic',
    'a file runs whose name makes backtracking expressions endless',
    [62, 74],
    CATASTROPHIC,
  ),
  named('name-newline', 'a file runs whose name ends in a newline', [62], '/tmp/x\n'),
  named('name-escape', 'a file runs whose name clears a terminal', [62], '/tmp/\u{1b}[2J'),
  named('name-quotes', 'a file runs whose name has quotes and backslashes', [62], '/tmp/"\\"'),
  named('name-long', 'a file runs whose path has 4095 characters', [62], `/${'n'.repeat(4094)}`),
]
