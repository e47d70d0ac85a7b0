import { eventTypes } from '../uefi/log/event-types.ts'
import { textOf } from '../uefi/log/text-of.ts'
import {
  at,
  behind,
  CONFIG,
  type Edit,
  EVIL,
  type Event,
  event,
  isImage,
  isLine,
  isNamed,
  isVariable,
  lineOf,
} from './forged-boot.ts'
import { variableOf } from './written-log.ts'

/** One way to let another boot pass for a known one; it differs from the boot that passes in one place. */
export interface Attempt {
  readonly kind: string
  readonly what: string
  /** The check that has to find something. */
  readonly check: string
  readonly edit: Edit
}

type Rows = readonly (readonly [what: string, edit: Edit])[]

function attempts(kind: string, check: string, rows: Rows): readonly Attempt[] {
  return rows.map(([what, edit]) => ({ kind, what, check, edit }))
}

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

const COMMAND_LINES: readonly Attempt[] = [
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

const file = (name: string, content = 'another file') => event(9, name, content)
const KERNEL = isNamed(/vmlinuz/)
const INITRD = isNamed(/initr/)

/** A file of PCR 9 with the digest of another one. */
function swappedDigests(events: readonly Event[]): readonly Event[] {
  const [kernel, initrd] = [events.find(KERNEL), events.find(INITRD)]
  if (!kernel || !initrd) throw new Error('no such event')
  return events.map((one) => {
    if (one === kernel) return { ...one, digests: initrd.digests }
    return one === initrd ? { ...one, digests: kernel.digests } : one
  })
}

const FREE_NAMES = [
  ...['', ' ', '\0', 'x', 'grub.cfg', '/boot/vmlinuz', 'INITRD', 'bzImage', '\u00e9', 'vmlinux'],
  ...['(hd0)/a\0b', '../vmlinuz', 'initramfs.img\0\0', 'kernel_cmdline: /x', 'Loaded initrd'],
]

const FILES: readonly Attempt[] = [
  ...attempts(
    'further file called',
    'kernel',
    FREE_NAMES.map((name) => [JSON.stringify(name), behind(file(name))] as const),
  ),
  ...attempts(
    'other kernel called',
    'kernel',
    FREE_NAMES.map((name) => [JSON.stringify(name), at(KERNEL, () => [file(name)])] as const),
  ),
  ...attempts(
    'other initrd called',
    'kernel',
    FREE_NAMES.map((name) => [JSON.stringify(name), at(INITRD, () => [file(name)])] as const),
  ),
  ...attempts('file of the boot loader', 'kernel', [
    ['kernel and initrd with the digest of each other', swappedDigests],
    ['no initrd', (events) => events.filter((one) => !INITRD(one))],
    ['an empty kernel', at(KERNEL, (one) => [event(9, textOf(one.raw), '')])],
    [
      'its name measured in place of it',
      at(KERNEL, (one) => [event(9, textOf(one.raw), textOf(one.raw))]),
    ],
  ]),
  ...attempts('image', 'kernel', [
    [
      'a further one',
      behind(event(4, '', 'an image', eventTypes.EV_EFI_BOOT_SERVICES_APPLICATION)),
    ],
    ['a driver', behind(event(4, '', 'a driver', eventTypes.EV_EFI_BOOT_SERVICES_DRIVER))],
    ['a file of a boot loader', behind(event(4, 'x', 'x'))],
    ['the first one twice', at(isImage, (one) => [one, one])],
    ['the first one missing', at(isImage, () => [])],
    [
      'the last one first',
      (events) =>
        [...events.filter(isImage).slice(-1), ...events].filter(
          (one, place) => place === 0 || one !== events.findLast(isImage),
        ),
    ],
  ]),
  ...attempts('image of a type', 'events', [
    ['of runtime drivers', behind(event(4, '', 'x', eventTypes.EV_EFI_RUNTIME_SERVICES_DRIVER))],
    ['of firmware', behind(event(4, '', 'x', eventTypes.EV_EFI_PLATFORM_FIRMWARE_BLOB))],
    ['of nothing', behind(event(4, '', 'x', 0x7fff))],
  ]),
]

const HEAD = 32

/** The value in the data of a variable, whose name is this long. */
function contentOf({ raw }: Event, name: string): Uint8Array {
  return raw.slice(HEAD + 2 * name.length)
}

function changedVariable(
  name: string,
  vendor: 'global' | 'security' | 'shim',
  change: (value: Buffer) => Uint8Array,
  as = name,
): Edit {
  return at(isVariable(name), (one) => {
    const value = change(Buffer.from(contentOf(one, name)))
    const data = textOf(variableOf(vendor, as, value))
    return [event(7, data, data, CONFIG)]
  })
}

/** EFI_SIGNATURE_LIST: type, sizes, and signatures of one size behind them. */
const LIST_HEAD = 28

interface List {
  readonly head: Buffer
  readonly size: number
  readonly entries: readonly Buffer[]
}

function listsIn(value: Buffer): readonly List[] {
  const lists: List[] = []
  for (let from = 0; from + LIST_HEAD <= value.length; ) {
    const [whole, size] = [value.readUInt32LE(from + 16), value.readUInt32LE(from + 24)]
    const body = value.subarray(from + LIST_HEAD, from + whole)
    const entries = Array.from({ length: body.length / size }, (_, place) =>
      body.subarray(place * size, (place + 1) * size),
    )
    lists.push({ head: value.subarray(from, from + LIST_HEAD), size, entries })
    from += whole
  }
  return lists
}

function written(lists: readonly List[]): Buffer {
  const all = lists.map(({ head, entries }) => {
    const body = Buffer.concat(entries)
    const own = Buffer.from(head)
    own.writeUInt32LE(LIST_HEAD + body.length, 16)
    return Buffer.concat([own, body])
  })
  return Buffer.concat(all)
}

/** The lists of a database with at least one entry, changed. */
function relisted(change: (lists: readonly List[]) => readonly List[]) {
  return (value: Buffer): Uint8Array => {
    const lists = listsIn(value)
    if (!lists.some(({ entries }) => entries.length > 0)) throw new Error('no such event')
    return new Uint8Array(written(change(lists)))
  }
}

function eachEntry(change: (entry: Buffer, place: number, all: number) => readonly Buffer[]) {
  return relisted((lists) =>
    lists.map((one) => ({
      ...one,
      entries: one.entries.flatMap((entry, place) => change(entry, place, one.entries.length)),
    })),
  )
}

function bitTurned(entry: Buffer, from: number): Buffer {
  const other = Buffer.from(entry)
  other[from] = (other[from] ?? 0) ^ 1
  return other
}

const dbx = (change: (value: Buffer) => Uint8Array, as?: string) =>
  changedVariable('dbx', 'security', change, as)
const KIND_OF_CERTIFICATES = Buffer.from('a159c0a5e494a74a87b5ab155c2bf072', 'hex')

function retyped(lists: readonly List[], kind: Uint8Array): readonly List[] {
  return lists.map((one) => ({ ...one, head: Buffer.concat([kind, one.head.subarray(16)]) }))
}

const REVOKED: readonly Attempt[] = [
  ...attempts('dbx', 'dbx', [
    ['without its first entry', dbx(eachEntry((entry, place) => (place === 0 ? [] : [entry])))],
    [
      'without its last entry',
      dbx(eachEntry((entry, place, all) => (place === all - 1 ? [] : [entry]))),
    ],
    [
      'without an entry in its middle',
      dbx(eachEntry((entry, place, all) => (place === all >> 1 ? [] : [entry]))),
    ],
    ['with every second entry', dbx(eachEntry((entry, place) => (place % 2 ? [] : [entry])))],
    ['of lists without entries', dbx(eachEntry(() => []))],
    ['with a bit of each owner turned', dbx(eachEntry((entry) => [bitTurned(entry, 8)]))],
    ['with a bit of each signature turned', dbx(eachEntry((entry) => [bitTurned(entry, 16)]))],
    [
      'with the last byte of its last entry turned',
      dbx(
        eachEntry((entry, place, all) => [
          place === all - 1 ? bitTurned(entry, entry.length - 1) : entry,
        ]),
      ),
    ],
    [
      'of digests under the kind of certificates',
      dbx(relisted((all) => retyped(all, KIND_OF_CERTIFICATES))),
    ],
    ['of digests under no known kind', dbx(relisted((all) => retyped(all, Buffer.alloc(16, 7))))],
    [
      'without its lists but the first entry',
      dbx(relisted((all) => [{ ...all[0], entries: all[0]?.entries.slice(0, 1) ?? [] } as List])),
    ],
  ]),
  ...attempts('dbx cut in its bytes:', 'data-form', [
    ['its last byte missing', dbx(relistedBytes((value) => value.subarray(0, -1)))],
    ['a byte more', dbx(relistedBytes((value) => Buffer.concat([value, Buffer.alloc(1)])))],
    ['a size of nothing', dbx(relistedBytes((value) => withNumber(value, 24, 0)))],
    ['a list larger than it is', dbx(relistedBytes((value) => withNumber(value, 16, 0xffffff)))],
    ['a header in its first list', dbx(relistedBytes((value) => withNumber(value, 20, 16)))],
  ]),
  ...attempts('database under another name:', 'variables', [
    [
      'DBX',
      dbx(
        relistedBytes((value) => value),
        'DBX',
      ),
    ],
    ['dbx of another vendor', changedVariable('dbx', 'global', (value) => value)],
    ['PK of another vendor', changedVariable('PK', 'security', (value) => value)],
    ['db of another vendor', changedVariable('db', 'global', (value) => value)],
    ['SecureBoot of another vendor', changedVariable('SecureBoot', 'shim', (value) => value)],
    ['secureboot', changedVariable('SecureBoot', 'global', (value) => value, 'secureboot')],
    [
      'dbx with a zero',
      dbx(
        relistedBytes((value) => value),
        'dbx\0',
      ),
    ],
    ['kek', changedVariable('KEK', 'global', (value) => value, 'kek')],
  ]),
]

function relistedBytes(change: (value: Buffer) => Buffer) {
  return (value: Buffer): Uint8Array => {
    if (value.length === 0) throw new Error('no such event')
    return new Uint8Array(change(value))
  }
}

function withNumber(value: Buffer, from: number, number: number): Buffer {
  const other = Buffer.from(value)
  other.writeUInt32LE(number, from)
  return other
}

const CERTIFICATE = Buffer.concat([Buffer.alloc(16, 0x11), Buffer.alloc(64, 0x30)])

/** A list of one certificate that no database has. */
function strangeList(): List {
  const head = Buffer.alloc(LIST_HEAD)
  KIND_OF_CERTIFICATES.copy(head)
  head.writeUInt32LE(CERTIFICATE.length, 24)
  return { head, size: CERTIFICATE.length, entries: [CERTIFICATE] }
}

const DATABASES = [
  ['PK', 'global'],
  ['KEK', 'global'],
  ['db', 'security'],
] as const

const KEYS: readonly Attempt[] = [
  ...DATABASES.flatMap(([name, vendor]) =>
    attempts(`key in ${name}`, name.toLowerCase(), [
      [
        'a further one behind',
        changedVariable(
          name,
          vendor,
          relisted((all) => [...all, strangeList()]),
        ),
      ],
      [
        'a further one in front',
        changedVariable(
          name,
          vendor,
          relisted((all) => [strangeList(), ...all]),
        ),
      ],
      [
        'another in place of all',
        changedVariable(
          name,
          vendor,
          relisted(() => [strangeList()]),
        ),
      ],
      [
        'one with its last byte turned',
        changedVariable(
          name,
          vendor,
          eachEntry((entry) => [bitTurned(entry, entry.length - 1)]),
        ),
      ],
      [
        'the same of another owner',
        changedVariable(
          name,
          vendor,
          eachEntry((entry) => [bitTurned(entry, 9)]),
        ),
      ],
      ['not measured', (events) => dropped(events, isVariable(name))],
    ]),
  ),
  ...attempts('Secure Boot', 'secure-boot', [
    ...[[0], [2], [1, 1], [0xff], [], [0, 1]].map(
      (bytes) =>
        [
          `of the value ${Buffer.from(bytes).toString('hex') || 'nothing'}`,
          secure(Uint8Array.from(bytes)),
        ] as const,
    ),
    ['not measured', (events) => dropped(events, isVariable('SecureBoot'))],
  ]),
  ...attempts('variable measured otherwise than logged:', 'data-proven', [
    ...['SecureBoot', 'PK', 'KEK', 'db', 'dbx'].map(
      (name) =>
        [name, at(isVariable(name), (one) => [event(7, textOf(one.raw), 'x', CONFIG)])] as const,
    ),
  ]),
]

/** The other value of Secure Boot; a boot without it cannot be told from one with such a value. */
function secure(value: Uint8Array): Edit {
  return (events) => {
    const one = events.find(isVariable('SecureBoot'))
    if (!one || contentOf(one, 'SecureBoot')[0] !== 1) throw new Error('no such event')
    return changedVariable('SecureBoot', 'global', () => value)(events)
  }
}

function dropped(events: readonly Event[], matches: (event: Event) => boolean): readonly Event[] {
  const one = events.find(matches)
  // What is empty, or was off, is not missed.
  if (!one || one.raw.length <= HEAD + 8 || one.raw.at(-1) === 0) throw new Error('no such event')
  return events.filter((each) => each !== one)
}

const isOf14 = ({ pcr, untrustedType }: Event) => pcr === 14 && untrustedType === eventTypes.EV_IPL
const first14 = (change: (name: string) => string) =>
  at(isOf14, (one) => [
    { ...one, raw: new Uint8Array(Buffer.from(change(textOf(one.raw)), 'latin1')) },
  ])

const MOK_NAMES: readonly (readonly [string, (name: string) => string])[] = [
  ['in small letters', (name) => name.toLowerCase()],
  ['in capitals', (name) => name.toUpperCase()],
  ['as MokListRT', () => 'MokListRT\0'],
  ['as MokListXRT', () => 'MokListXRT\0'],
  ['as SbatLevel', () => 'SbatLevel\0'],
  ['as MokListTrusted', () => 'MokListTrusted\0'],
  ['as MokSBState', () => 'MokSBState\0'],
  ['as MokDBState', () => 'MokDBState\0'],
  ['with two zeros', (name) => `${name}\0`],
  ['with a blank', (name) => name.replace('\0', ' \0')],
  ['with a letter behind the zero', (name) => `${name}x`],
  ['in UTF-16', (name) => [...name].join('\0')],
  ['without a name', () => ''],
  ['of a zero', () => '\0'],
]

const SHIM: readonly Attempt[] = [
  ...attempts(
    'list of shim relabelled',
    'mok',
    MOK_NAMES.map(([what, change]) => [what, first14(change)] as const),
  ),
  ...attempts('list of shim', 'mok', [
    ['with another digest', at(isOf14, (one) => [event(14, textOf(one.raw), 'x')])],
    ['empty', at(isOf14, (one) => [event(14, textOf(one.raw), '')])],
    [
      'of which the name was measured',
      at(isOf14, (one) => [event(14, textOf(one.raw), textOf(one.raw))]),
    ],
    ['twice', at(isOf14, (one) => [one, one])],
    ['with another in front', at(isOf14, (one) => [event(14, textOf(one.raw), 'x'), one])],
    ['with trust of two', behind(event(14, 'MokListTrusted\0', '\u0002'))],
    ['with a further list behind', behind(event(14, 'MokListNew\0', 'x'))],
    [
      'in the other order',
      (events) => {
        const lists = events.filter(isOf14)
        if (lists.length < 2) throw new Error('no such event')
        return [...events.filter((one) => !isOf14(one)), ...lists.toReversed()]
      },
    ],
  ]),
  ...attempts('list of shim of a type', 'events', [
    ['of tags', at(isOf14, (one) => [{ ...one, untrustedType: eventTypes.EV_EVENT_TAG }])],
    ['of actions', at(isOf14, (one) => [{ ...one, untrustedType: eventTypes.EV_ACTION }])],
  ]),
]

const SEPARATOR = eventTypes.EV_SEPARATOR
const isSeparator = (pcr: number) => (one: Event) =>
  one.pcr === pcr && one.untrustedType === SEPARATOR
const inFirmware = (type: number, content: string) => (events: readonly Event[]) => {
  const place = events.findIndex(isSeparator(0))
  if (place < 0) throw new Error('no such event')
  return events.toSpliced(place, 0, event(0, content, content, type))
}
const isVersion = ({ pcr, untrustedType }: Event) =>
  pcr === 0 && untrustedType === eventTypes.EV_S_CRTM_VERSION
const isBlob = ({ pcr, untrustedType }: Event) =>
  pcr === 0 &&
  (untrustedType === eventTypes.EV_EFI_PLATFORM_FIRMWARE_BLOB ||
    untrustedType === eventTypes.EV_EFI_PLATFORM_FIRMWARE_BLOB2)

/** Types under which something further in PCR 0 is logged. */
const FURTHER = [
  ...(['EV_EFI_PLATFORM_FIRMWARE_BLOB', 'EV_EFI_PLATFORM_FIRMWARE_BLOB2', 'EV_POST_CODE'] as const),
  ...(['EV_POST_CODE2', 'EV_S_CRTM_CONTENTS', 'EV_EFI_HANDOFF_TABLES', 'EV_NONHOST_CODE'] as const),
  ...(['EV_NONHOST_CONFIG', 'EV_NONHOST_INFO', 'EV_EFI_HCRTM_EVENT'] as const),
]

const FIRMWARE: readonly Attempt[] = [
  ...attempts(
    'further firmware before the separator, told as',
    'firmware',
    FURTHER.map((type) => [type, inFirmware(eventTypes[type], 'further firmware')] as const),
  ),
  ...attempts(
    'further firmware before the last one, told as',
    'firmware',
    FURTHER.map(
      (type) => [type, at(isBlob, (one) => [event(0, 'x', 'x', eventTypes[type]), one])] as const,
    ),
  ),
  ...attempts('firmware', 'firmware', [
    ['of another version', at(isVersion, () => [event(0, 'v', 'v', eventTypes.EV_S_CRTM_VERSION)])],
    ['of two versions', at(isVersion, (one) => [one, event(0, 'v', 'v', one.untrustedType)])],
    [
      'without a version',
      (events) => {
        if (!events.some(isVersion)) throw new Error('no such event')
        return events.filter((one) => !isVersion(one))
      },
    ],
    ['with another blob', at(isBlob, (one) => [event(0, textOf(one.raw), 'x', one.untrustedType)])],
    ['without a blob', at(isBlob, () => [])],
    [
      'with its blob told as a post code, and another one',
      at(isBlob, (one) => [event(0, 'POST CODE', 'x', eventTypes.EV_POST_CODE), one]),
    ],
  ]),
  ...attempts('separator', 'separators', [
    ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((pcr) => [
      [`of PCR ${pcr} missing`, at(isSeparator(pcr), () => [])] as const,
      [
        `of PCR ${pcr} of an error`,
        at(isSeparator(pcr), () => [event(pcr, '\u0001\0\0\0', '\u0001\0\0\0', SEPARATOR)]),
      ] as const,
      [
        `of PCR ${pcr} of another number`,
        at(isSeparator(pcr), () => [event(pcr, '\u0002\0\0\0', '\u0002\0\0\0', SEPARATOR)]),
      ] as const,
    ]),
  ]),
  ...attempts('action', 'actions', [
    ...['UEFI Debug Mode', 'DMA Protection Disabled ', '', 'dma protection disabled', 'x\0'].map(
      (says) =>
        [JSON.stringify(says), behind(event(7, says, says, eventTypes.EV_EFI_ACTION))] as const,
    ),
  ]),
  ...attempts('event that must not be', 'events', [
    ...[0, 7, 8, 9, 14].map(
      (pcr) => [`of no known type in PCR ${pcr}`, behind(event(pcr, 'x', 'x', 0xa0a0))] as const,
    ),
    ['a separator in PCR 8', behind(event(8, '\0\0\0\0', '\0\0\0\0', SEPARATOR))],
    ['a separator in PCR 14', behind(event(14, '\0\0\0\0', '\0\0\0\0', SEPARATOR))],
    ['an image in PCR 7', behind(event(7, '', 'x', eventTypes.EV_EFI_BOOT_SERVICES_APPLICATION))],
    ['a variable in PCR 0', behind(event(0, 'x', 'x', CONFIG))],
  ]),
]

const AUTHORITY = eventTypes.EV_EFI_VARIABLE_AUTHORITY

function authority(vendor: 'global' | 'security' | 'shim', name: string, value: Uint8Array): Edit {
  const data = textOf(variableOf(vendor, name, value))
  return behind(event(7, data, data, AUTHORITY))
}

const AUTHORITIES: readonly Attempt[] = attempts('authority', 'authorities', [
  ['a foreign key of db', authority('security', 'db', CERTIFICATE)],
  ['an owner without a key', authority('security', 'db', CERTIFICATE.subarray(0, 16))],
  ['nothing of db', authority('security', 'db', new Uint8Array())],
  ['a foreign key of db under another vendor', authority('global', 'db', CERTIFICATE)],
  ['a foreign key of dbt', authority('security', 'dbt', CERTIFICATE)],
  ['a foreign key of DB', authority('security', 'DB', CERTIFICATE)],
  ['a key of MokListRT', authority('shim', 'MokListRT', CERTIFICATE)],
  ['a key of no name', authority('shim', '', CERTIFICATE)],
  ['a key of PK', authority('global', 'PK', CERTIFICATE)],
])

/** Every attempt, in the order of its kinds. */
export const BOOT_ATTEMPTS: readonly Attempt[] = [
  ...COMMAND_LINES,
  ...FILES,
  ...REVOKED,
  ...KEYS,
  ...SHIM,
  ...FIRMWARE,
  ...AUTHORITIES,
]
