import { eventTypes } from '../../uefi/log/event-types.ts'
import { textOf } from '../../uefi/log/text-of.ts'
import { at, behind, type Edit, EVIL, type Event, event, isLine, lineOf } from '../forged-boot.ts'
import { type Attempt, attempts } from './attempt.ts'

/** The command line measured and logged as another text. */
const lineAs = (change: (line: string) => string, label = 'kernel_cmdline: ', end = '\0') =>
  at(isLine, (one) => [event(8, `${label}${change(lineOf(one))}${end}`, change(lineOf(one)))])

/** The good text is logged, and something else was measured. */
const measuredAs = (change: (line: string) => string) =>
  at(isLine, (one) => [event(8, textOf(one.raw), change(lineOf(one)))])

const middle = (line: string, put: string) => {
  const half = line.indexOf(' ') + 1 || line.length
  return line.slice(0, half) + put + line.slice(half)
}

const LINES: readonly (readonly [string, (line: string) => string])[] = [
  ['a blank behind it', (line) => `${line} `],
  ['a blank before it', (line) => ` ${line}`],
  ['a newline behind it', (line) => `${line}\n`],
  ['a line more', (line) => `${line}\n${line} ${EVIL}`],
  ['a carriage return', (line) => `${line}\r${EVIL}`],
  ['a zero and more', (line) => `${line}\0 ${EVIL}`],
  ['something before it', (line) => `${EVIL} ${line}`],
  ['something in its middle', (line) => middle(line, `${EVIL} `)],
  ['two blanks', (line) => middle(line, ' ')],
  ['a tab', (line) => middle(line, '\t')],
  ['other letters', (line) => line.toUpperCase()],
  ['its last letter missing', (line) => line.slice(0, -1)],
  ['its first letter missing', (line) => line.slice(1)],
  ['itself twice', (line) => `${line} ${line}`],
  ['a comma for a blank', (line) => line.replace(' ', ',')],
  ['quotes', (line) => `"${line}"`],
  ['a byte order mark', (line) => `\u00ef\u00bb\u00bf${line}`],
  ['two slashes', (line) => line.replace('/', '//')],
  ['a dot in its path', (line) => line.replace('/', '/./')],
  ['nothing in it', () => ''],
  ['an expression in place of a text', () => '.*'],
]

const LABELS: readonly (readonly [string, string])[] = [
  ['in capitals', 'KERNEL_CMDLINE: '],
  ['without a blank', 'kernel_cmdline:'],
  ['twice', 'kernel_cmdline: kernel_cmdline: '],
  ['of grub, then of a kernel', 'grub_cmd: kernel_cmdline: '],
  ['of an older grub', 'grub_kernel_cmdline '],
  ['of a linux command', 'linux '],
  ['of a command with a path', 'grub_cmd: /linux '],
  ['of an assignment', 'cmdline='],
  ['of a comment', '# '],
]

/** A second command line of each kind, in front of the good one. */
const before = (makes: (line: string) => Event): Edit =>
  at(isLine, (one) => [makes(lineOf(one)), one])

export const COMMAND_LINES: readonly Attempt[] = [
  ...attempts(
    'command line with',
    'kernel',
    LINES.map(([what, change]) => [what, lineAs(change)] as const),
  ),
  ...attempts(
    'command line measured otherwise than logged, with',
    'kernel',
    LINES.map(([what, change]) => [what, measuredAs(change)] as const),
  ),
  ...attempts(
    'other command line under a label',
    'kernel',
    LABELS.map(([what, label]) => [what, lineAs((line) => `${line} ${EVIL}`, label, '')] as const),
  ),
  ...attempts(
    'good command line under a label, measured with it',
    'kernel',
    LABELS.map(
      ([what, label]) =>
        [
          what,
          at(isLine, (one) => [
            event(8, `${label}${lineOf(one)} ${EVIL}`, `${label}${lineOf(one)} ${EVIL}`),
          ]),
        ] as const,
    ),
  ),
  ...attempts('second command line', 'kernel', [
    ['before the good one', before((line) => event(8, `kernel_cmdline: ${line} x`, `${line} x`))],
    ['without a label', before((line) => event(8, `${line} x`, `${line} x`))],
    ['by module2', before((line) => event(8, `grub_cmd: module2 ${line} x`, `module2 ${line} x`))],
    ['by xen', before(() => event(8, 'grub_cmd: xen_module /x y', 'xen_module /x y'))],
    ['of which only a digest is logged', before(() => event(8, '', EVIL))],
    ['of bytes that are no text', before(() => event(8, '\u00ff\u00fe', '\u00ff\u00fe'))],
    ['behind it', behind(event(8, `kernel_cmdline: /x ${EVIL}\0`, `/x ${EVIL}`))],
    ['by a command in quotes', before(() => event(8, 'grub_cmd: "linux" /x', '"linux" /x'))],
  ]),
  ...attempts('command line of another type', 'events', [
    ['an action', at(isLine, (one) => [{ ...one, untrustedType: eventTypes.EV_ACTION }])],
    ['a tag', at(isLine, (one) => [{ ...one, untrustedType: eventTypes.EV_EVENT_TAG }])],
    ['no known type', at(isLine, (one) => [{ ...one, untrustedType: 0x7fff }])],
  ]),
]
