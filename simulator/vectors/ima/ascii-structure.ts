import { writeAsciiList } from '../../ima/ascii.ts'
import { cat, filled, text } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import {
  asciiList,
  EITHER,
  ENTRIES,
  editedLine,
  MISMATCH,
  type Row,
  UNREADABLE,
  variantsOf,
} from './list-evidence.ts'

const LIST = writeAsciiList(ENTRIES)

function replacing(from: string, to: string): JsonObject {
  const replaced = Buffer.from(LIST).toString('latin1').replaceAll(from, to)
  return asciiList(new Uint8Array(Buffer.from(replaced, 'latin1')))
}

/** Case 58: changes made by editors and transports. */
export function alteredTexts(): readonly Variant[] {
  const nothing = asciiList(filled(0))
  return variantsOf('e6', 58, 'list', [
    { slug: 'empty', what: 'The list is empty, and PCR 10 is not', change: nothing, ...MISMATCH },
    {
      slug: 'newline-only',
      what: 'The list is one newline',
      change: asciiList(text('\n')),
      ...MISMATCH,
    },
    {
      slug: 'unended',
      what: 'The last line has no newline, and every byte that was hashed is there',
      change: asciiList(LIST.subarray(0, -1)),
      ...EITHER,
    },
    { slug: 'crlf', what: 'Lines end in CR LF', change: replacing('\n', '\r\n'), ...EITHER },
    {
      slug: 'bom',
      what: 'A byte order mark precedes the first line',
      change: asciiList(cat(text('\u{feff}'), LIST)),
      ...UNREADABLE,
    },
    {
      slug: 'nul-before',
      what: 'A zero byte precedes the first line',
      change: asciiList(cat(filled(1), LIST)),
      ...UNREADABLE,
    },
    {
      slug: 'nul-after-name',
      what: 'A zero byte follows each name',
      change: replacing('\n', '\0\n'),
      ...MISMATCH,
    },
  ])
}

/** A line that no kernel prints, between two valid ones. */
function inserted(slug: string, what: string, line: string): Row {
  return { slug, what, change: editedLine(2, (next) => `${line}\n${next}`), ...UNREADABLE }
}

const HEX = '11'.repeat(20)

/** Case 59: too few columns, too many, or not separated by one blank; a reader must not drop any silently. */
export function alteredColumns(): readonly Variant[] {
  return variantsOf('e6', 59, 'list', [
    inserted('three-columns', 'A line of three columns is added', `10 ${HEX} ima-ng`),
    inserted('four-columns', 'A line of four columns is added', `10 ${HEX} ima-ng sha256:00`),
    inserted('words', 'A line of words is added', 'this is no entry at all'),
    {
      slug: 'six-columns',
      what: 'A line of six columns, whose name then has a blank, is added',
      change: editedLine(2, (next) => `10 ${HEX} ima-ng sha256:${'22'.repeat(32)} /a b\n${next}`),
      ...MISMATCH,
    },
    {
      slug: 'seven-columns',
      what: 'A seventh column is added to a signed file',
      change: editedLine(3, (line) => `${line}00 00`),
      ...MISMATCH,
    },
    {
      slug: 'two-blanks',
      what: 'Columns of a line are two blanks apart',
      change: editedLine(2, (line) => line.replace(' ima-ng ', '  ima-ng  ')),
      ...EITHER,
    },
    {
      slug: 'tabs',
      what: 'Columns of a line are tabs apart',
      change: editedLine(2, (line) => line.replaceAll(' ', '\t')),
      ...EITHER,
    },
    {
      slug: 'leading-blank',
      what: 'A line begins with a blank',
      change: editedLine(2, (line) => ` ${line}`),
      ...EITHER,
    },
  ])
}
