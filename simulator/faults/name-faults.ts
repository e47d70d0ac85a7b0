import type { Measuring } from '../platform/measuring.ts'
import { digest } from '../tpm/hash.ts'
import { text } from '../tpm/write.ts'
import type { Fault } from './fault.ts'

/** A name on which an expression with nested repetition backtracks: 240 characters, the last of which never matches. */
const CATASTROPHIC = `/${'a'.repeat(238)}!`

/**
 * A name that starts a new line in the text list. A parser that splits lines at any white space reads it as the
 * entry of an allowed file: the kernel replaces blanks by `_`, and keeps tabs and newlines.
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

/** Files that are measured under names that are hard to parse. */
export const NAME_FAULTS: readonly Fault[] = [
  named('name-injected-line', 'a file runs whose name contains a whole entry', [63], INJECTED),
  named(
    'name-catastrophic',
    'a file runs whose name makes regular expressions backtrack without end',
    [62, 74],
    CATASTROPHIC,
  ),
  named('name-newline', 'a file runs whose name ends in a newline', [62], '/tmp/x\n'),
  named(
    'name-escape',
    'a file runs whose name contains an escape sequence that clears a terminal',
    [62],
    '/tmp/\u{1b}[2J',
  ),
  named('name-quotes', 'a file runs whose name has quotes and backslashes', [62], '/tmp/"\\"'),
  named('name-long', 'a file runs whose path has 4095 characters', [62], `/${'n'.repeat(4094)}`),
]
