import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import type { ImaEntry } from '../../../simulator/ima/list.ts'
import { imaSigEntry, violationEntry } from '../../../simulator/ima/make-entry.ts'
import { cat, filled, text } from '../../../simulator/tpm/write.ts'
import { mutateBytes, oneOf, turnBit } from '../mutate-bytes.ts'
import type { Mutation, MutationAt } from '../stages.ts'
import { JUDGED_MUTATIONS } from './judged-files.ts'

type Entries = readonly ImaEntry[]
type Head = Pick<MutationAt<'machine'>, 'id' | 'what' | 'breaks'>

/** Other files were measured, and the list shows them. */
function measured(
  head: Head,
  change: (entries: Entries, random: SeededRandom) => Entries,
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => ({ ...machine, measured: change(machine.measured, random) }),
  }
}

/** The list tells other things than were measured. */
function listed(head: Head, change: (entries: Entries, random: SeededRandom) => Entries): Mutation {
  return {
    ...head,
    stage: 'draft',
    change: (draft, random) => ({ ...draft, listed: change(draft.listed, random) }),
  }
}

/** Mutates the lines of the list as they are printed. */
function lines(
  head: Head,
  change: (lines: readonly string[], random: SeededRandom) => readonly string[],
): Mutation {
  return {
    ...head,
    stage: 'parts',
    change: (parts, random) => {
      const all = Buffer.from(parts.list).toString('latin1').split('\n')
      return {
        ...parts,
        list: new Uint8Array(Buffer.from(change(all, random).join('\n'), 'latin1')),
      }
    },
  }
}

/** One of the lines mutated; the empty one after the last newline stays. */
function oneLine(head: Head, change: (line: string, random: SeededRandom) => string): Mutation {
  return lines(head, (all, random) => {
    const at = random.below(Math.max(1, all.length - 1))
    return all.with(at, change(all[at] ?? '', random))
  })
}

function somewhere(entries: Entries, random: SeededRandom): number {
  return random.below(Math.max(1, entries.length))
}

const ODD_NAMES = [
  '',
  ' ',
  '/bin/with\nnewline',
  '/bin/with\ttab',
  '/bin/trailing ',
  `/${'n'.repeat(4096)}`,
  '/bin/\u2028',
  '/bin/\u001b[31m',
  '/bin/"quoted"\\',
  '__proto__',
  'x\n10 0000000000000000000000000000000000000000 ima-ng sha256:00 /bin/good',
]

const PREFIXES = ['', 'SHA256:', 'sha1:', 'md5:', 'sha3-256:', ':', 'sha256:sha256:', 'ima:sha256:']
const TEMPLATES = ['ima-ng', 'IMA-SIG', 'ima-sigv3', 'ima', 'x'.repeat(4096)]
const PCR_COLUMNS = ['11', '010', '1e1', '-1', '4294967306', '0x0a', '']
const HASHES = ['f'.repeat(40), '0'.repeat(40), 'f'.repeat(64), 'f'.repeat(39), 'z'.repeat(40), '']

const columns = (line: string): readonly string[] => line.split(' ')

/** A line with another text in one column; one that has no such column stays as it is. */
function withColumn(line: string, at: number, text: string): string {
  return columns(line)
    .map((column, index) => (index === at ? text : column))
    .join(' ')
}

/** Mutations of the measurement list. */
export const IMALOG_MUTATIONS: readonly Mutation[] = [
  ...JUDGED_MUTATIONS,
  measured(
    { id: 'measured.foreign', what: 'shows that a foreign file ran', breaks: 'policy-file' },
    (all, random) => [...all, imaSigEntry('/usr/bin/foreign', random.bytes(32))],
  ),
  measured(
    {
      id: 'measured.relabelled',
      what: 'tells of a foreign file as if it were a buffer',
      breaks: 'policy-file',
    },
    (all, random) => [
      ...all,
      { ...imaSigEntry('/usr/bin/foreign', random.bytes(32)), template: 'ima-buf' },
    ],
  ),
  measured(
    {
      id: 'measured.changed',
      what: 'shows that a known file was another when it ran',
      breaks: 'policy-file',
    },
    (all, random) => [...all, imaSigEntry('/usr/bin/tool-1', random.bytes(32))],
  ),
  measured(
    { id: 'measured.odd-name', what: 'shows that a file of an odd name ran' },
    (all, random) => [...all, imaSigEntry(oneOf(ODD_NAMES, random), random.bytes(32))],
  ),
  measured({ id: 'measured.again', what: 'shows that a known file ran again' }, (all, random) => [
    ...all,
    ...all.slice(-1 - random.below(3)),
  ]),
  measured(
    { id: 'measured.violation', what: 'shows a violation', breaks: 'list-violation' },
    (all) => [...all, violationEntry('/usr/bin/tool-1')],
  ),
  measured(
    { id: 'measured.signature', what: 'shows a file with a signature of noise' },
    (all, random) => {
      const [known] = all.slice(-1)
      const head = known?.fields[0] ?? filled(0)
      const signature = cat(Uint8Array.of(3, 2, 4), random.bytes(random.below(300)))
      return [...all, imaSigEntry('/usr/bin/tool-1', head.slice(-32), signature)]
    },
  ),
  measured(
    { id: 'measured.many', what: 'shows that a known file ran very often' },
    (all, random) => [
      ...all,
      ...Array.from({ length: 1 + random.below(400) }, () => all.at(-1)).filter(
        (one) => one !== undefined,
      ),
    ],
  ),
  listed(
    { id: 'list.without', what: 'leaves an entry out', breaks: 'list-replay' },
    (all, random) => all.toSpliced(somewhere(all, random), 1),
  ),
  listed(
    { id: 'list.cut', what: 'leaves the last entries out', breaks: 'list-replay' },
    (all, random) => all.slice(0, Math.max(1, somewhere(all, random))),
  ),
  listed(
    { id: 'list.swapped', what: 'has two entries swapped', breaks: 'list-replay' },
    (all, random) => {
      const at = random.below(Math.max(1, all.length - 1))
      const pair = all.slice(at, at + 2)
      return all.toSpliced(at, 2, ...pair.toReversed())
    },
  ),
  listed(
    { id: 'list.doubled', what: 'has an entry twice', breaks: 'list-replay' },
    (all, random) => {
      const at = random.below(Math.max(1, all.length - 1))
      return all.toSpliced(at, 0, ...all.slice(at, at + 1))
    },
  ),
  listed(
    { id: 'list.another', what: 'tells of another file than was measured', breaks: 'list-replay' },
    (all, random) =>
      all.with(somewhere(all, random), imaSigEntry('/usr/bin/tool-1', random.bytes(32))),
  ),
  listed({ id: 'list.longer', what: 'tells of entries after the quote' }, (all, random) => [
    ...all,
    imaSigEntry('/usr/bin/later', random.bytes(32)),
  ]),
  listed(
    { id: 'list.hash', what: 'has the template hash of another entry', breaks: 'list-hash' },
    (all, random) => {
      const at = somewhere(all, random)
      return all.map((entry, index) =>
        index === at ? { ...entry, templateHash: random.bytes(20) } : entry,
      )
    },
  ),
  listed(
    { id: 'list.hash-bit', what: 'has a template hash with a bit turned', breaks: 'list-hash' },
    (all, random) => {
      const at = somewhere(all, random)
      return all.map((entry, index) =>
        index === at ? { ...entry, templateHash: turnBit(entry.templateHash, random) } : entry,
      )
    },
  ),
  listed({ id: 'list.empty', what: 'has an empty list' }, () => []),
  oneLine(
    { id: 'line.hash', what: 'has an odd template hash', breaks: 'list-form' },
    (line, random) => withColumn(line, 1, oneOf(HASHES, random)),
  ),
  oneLine(
    { id: 'line.template', what: 'names an odd template', breaks: 'list-form' },
    (line, random) => withColumn(line, 2, oneOf(TEMPLATES, random)),
  ),
  oneLine(
    { id: 'line.prefix', what: 'has an odd prefix of a digest', breaks: 'list-form' },
    (line, random) => line.replace(/sha256:/, oneOf(PREFIXES, random)),
  ),
  oneLine({ id: 'line.pcr', what: 'has an odd PCR column', breaks: 'list-form' }, (line, random) =>
    line.replace(/^ *\d+/, oneOf(PCR_COLUMNS, random)),
  ),
  oneLine({ id: 'line.columns', what: 'has a line of another number of columns' }, (line, random) =>
    columns(line)
      .slice(0, 1 + random.below(4))
      .join(' '),
  ),
  oneLine({ id: 'line.blanks', what: 'has other blanks in a line' }, (line, random) =>
    line.replace(/ /g, () => oneOf([' ', ' ', '  ', '\t'], random)),
  ),
  lines({ id: 'lines.ending', what: 'has other line ends' }, (all, random) =>
    random.below(2) === 0 ? all.slice(0, -1) : all.map((line) => `${line}\r`),
  ),
  lines({ id: 'lines.noise', what: 'has a line that is none' }, (all, random) =>
    all.toSpliced(
      random.below(all.length),
      0,
      oneOf(['', '\0', '#', '\u00ef\u00bb\u00bf', '10 x'], random),
    ),
  ),
  {
    id: 'list.bit',
    stage: 'parts',
    what: 'has a bit turned in its list',
    change: (parts, random) => ({ ...parts, list: turnBit(parts.list, random) }),
  },
  {
    id: 'list.bytes',
    stage: 'parts',
    what: 'has mutated bytes in its list',
    change: (parts, random) => ({ ...parts, list: mutateBytes(parts.list, random) }),
  },
  {
    id: 'list.absent',
    stage: 'members',
    what: 'has no list',
    breaks: 'list-missing',
    change: ({ ima_measurement_list: _, ...rest }) => rest,
  },
  {
    id: 'list.type',
    stage: 'members',
    what: 'has a list that is no text',
    breaks: 'list-missing',
    change: (members, random) => ({
      ...members,
      ima_measurement_list: oneOf([7, null, [], {}, ['10'], true], random),
    }),
  },
  {
    id: 'list.surrogate',
    stage: 'members',
    what: 'has half a character in its list',
    change: (members) => ({
      ...members,
      ima_measurement_list: `${String(members.ima_measurement_list)}\ud800`,
    }),
  },
  {
    id: 'list.long-line',
    stage: 'parts',
    what: 'has a line of a hundred thousand letters',
    change: (parts) => ({ ...parts, list: cat(parts.list, text(`10 ${'a'.repeat(100_000)}`)) }),
  },
]
