import { changed, inserted, remeasured } from '../../platform/edit-events.ts'
import { cat, filled, text, u8, u16le, u32le } from '../../tpm/write.ts'
import { devicePath, END_NODE, fileNode, pathNode } from '../../uefi/device-path.ts'
import {
  gptData,
  imageLoad,
  type SignatureListOverrides,
  signatureList,
  taggedEvent,
  ucs2,
  type VariableOverrides,
  variableData,
  zeroEnded,
} from '../../uefi/event-data.ts'
import { EV } from '../../uefi/event-types.ts'
import { GUIDS, guidBytes } from '../../uefi/guid.ts'
import type { UefiEvent } from '../../uefi/log.ts'
import { ofType } from '../../uefi/log-overrides.ts'
import { type Measurement, measures } from '../../uefi/measured-event.ts'
import { OWNER } from '../../uefi/profiles/secure-boot-keys.ts'
import { readVariable } from '../../uefi/read-data.ts'
import { type ChangedBootRow, changedBoots, type UefiFault } from './uefi-fault.ts'

type Ending = ChangedBootRow['outcome']

/** The firmware measures one more event after the Secure Boot variables. */
function alsoMeasures(
  slug: string,
  what: string,
  measured: Measurement,
  outcome: Ending,
): ChangedBootRow {
  const firmware = inserted(measured, ofType(7, EV.SEPARATOR))
  return { slug, what, outcome, firmware }
}

const DIGEST = filled(32, 0x5a)

/** Returns the database `db` with one more list, whose fields may be invalid. */
function database(
  slug: string,
  what: string,
  overrides: Partial<SignatureListOverrides>,
  outcome: Ending = 'policy',
): ChangedBootRow {
  const list = signatureList({
    ...{ type: GUIDS.certSha256, owner: OWNER, signatures: [DIGEST] },
    ...overrides,
  })
  const firmware = changed(isDatabase, (event) => {
    const { guid, name, data } = readVariable(event.data)
    return remeasured(event, variableData({ guid, name, data: cat(data, list) }))
  })
  return { slug, what: `the signature database db ${what}`, outcome, firmware }
}

function isDatabase({ pcr, type, data }: UefiEvent): boolean {
  const isVariable = pcr === 7 && type === EV.EFI_VARIABLE_DRIVER_CONFIG
  return isVariable && readVariable(data).name === 'db'
}

/** Case 102: a signature database that was measured as logged, and is malformed or has one more signature. */
const SIGNATURE_LISTS = changedBoots(102, [
  ...[0, 27].map((listSize) =>
    database(`list-size-${listSize}`, `states a list of ${listSize} bytes`, { listSize }),
  ),
  ...[0, 15, 0xffffffff].map((signatureSize) =>
    database(`signature-size-${signatureSize}`, `states signatures of ${signatureSize} bytes`, {
      signatureSize,
    }),
  ),
  database('list-header-of-48', 'has a header of 48 bytes in front of a signature more', {
    header: filled(48, 0x11),
  }),
  database(
    'list-header-alone',
    'has a list of no signature, whose header looks like one',
    { header: cat(guidBytes(OWNER), DIGEST), signatures: [], signatureSize: 48 },
    'either',
  ),
  database('list-header-beyond', 'states a header that is larger than its list', {
    headerSize: 4096,
  }),
  database('list-beyond-variable', 'states a list that is larger than the variable', {
    listSize: 4096,
  }),
  database('list-type-unknown', 'has a signature of an unknown type', { type: OWNER }),
])

function variableWith(overrides: Partial<VariableOverrides>): Measurement {
  const data = variableData({
    ...{ guid: GUIDS.globalVariable, name: 'Timeout', data: u16le(5) },
    ...overrides,
  })
  return measures(7, 'EFI_VARIABLE_DRIVER_CONFIG', data)
}

/** Case 103: variables. */
const VARIABLES = changedBoots(103, [
  ...(
    [
      ['name-endless', 'a name of 2^63 characters', { nameLength: 1n << 63n }],
      ['name-odd', 'a name that ends in half a character', { name: text('Timeout') }],
      ['name-lone-surrogate', 'a name with half a surrogate pair', { name: ucs2('Time\ud800out') }],
      ['name-with-zero', 'a name with a zero in it', { name: ucs2('Time\0out') }],
      ['data-beyond', 'more data than its event has', { dataLength: 4096n }],
      ['data-endless', 'data of 2^64 - 1 bytes', { dataLength: (1n << 64n) - 1n }],
    ] as const
  ).map(([slug, has, overrides]) =>
    alsoMeasures(
      `variable-${slug}`,
      `a variable of PCR 7 has ${has}`,
      variableWith(overrides),
      'policy',
    ),
  ),
  ...(['MokListTrusted', 'vendor_db', 'Shim', 'SbatLevel'] as const).map((name) =>
    alsoMeasures(
      `variable-called-${name.toLowerCase().replace('_', '-')}`,
      `a variable is called ${name}`,
      variableWith({ name, guid: GUIDS.shim }),
      'either',
    ),
  ),
])

function imageAt(path: Uint8Array, length?: bigint): Measurement {
  return measures(2, 'EFI_BOOT_SERVICES_DRIVER', imageLoad(path, length), text('a driver'))
}

const MANY = 10_000
const PARTITION = { type: GUIDS.efiSystemPartition, id: OWNER, name: 'one' }

/** Case 104: device paths, and partition tables. */
const PATHS = changedBoots(104, [
  ...[0, 3].map((length) =>
    alsoMeasures(
      `path-node-of-${length}`,
      `a device path has a node that states ${length} bytes`,
      imageAt(cat(pathNode(4, 4, filled(8), length), END_NODE)),
      'either',
    ),
  ),
  alsoMeasures(
    'path-without-end',
    'a device path has no end',
    imageAt(fileNode('\\a.efi')),
    'either',
  ),
  alsoMeasures(
    'path-of-10000-nodes',
    'a device path has ten thousand nodes',
    imageAt(devicePath(Array.from({ length: MANY }, () => pathNode(1, 4, filled(1))))),
    'either',
  ),
  alsoMeasures(
    'path-in-path',
    'a device path has a node that holds a device path',
    imageAt(devicePath([pathNode(4, 3, devicePath([fileNode('\\a.efi')]))])),
    'either',
  ),
  alsoMeasures(
    'path-longer-than-event',
    'an image has a device path that is longer than its event',
    imageAt(END_NODE, 1n << 40n),
    'either',
  ),
  ...(
    [
      ['count', { count: 1n << 57n }],
      ['count-all-ones', { count: (1n << 64n) - 1n }],
      ['entry-size', { entrySize: 0xffffffff }],
    ] as const
  ).map(([slug, overrides]) =>
    alsoMeasures(
      `partitions-${slug}`,
      'a table of partitions states more of them than there are',
      measures(5, 'EFI_GPT_EVENT', gptData(OWNER, [PARTITION], overrides)),
      'either',
    ),
  ),
])

/** Case 105: data of a length that its type does not have. */
const LENGTHS = changedBoots(105, [
  alsoMeasures(
    'post-code-of-9',
    'a POST code has nine bytes of text',
    measures(0, 'POST_CODE', text('ACPI DATA')),
    'either',
  ),
  alsoMeasures(
    'omitted-devices-of-20',
    'the event of omitted devices has twenty bytes of text',
    measures(4, 'OMIT_BOOT_DEVICE_EVENTS', text('BOOT ATTEMPTS OMITTE')),
    'either',
  ),
  alsoMeasures(
    'version-of-odd-length',
    'the version of the firmware ends in half a character',
    measures(0, 'S_CRTM_VERSION', cat(ucs2('1.0'), u8(0x31))),
    'either',
  ),
])

/** Nested aggregations of eight bytes each; the outermost states the length of all. */
function nested(depth: number): Uint8Array {
  const bytes = new Uint8Array(depth * 8)
  const view = new DataView(bytes.buffer)
  for (let level = 0; level < depth; level += 1) {
    view.setUint32(level * 8, AGGREGATION, true)
    view.setUint32(level * 8 + 4, (depth - level - 1) * 8, true)
  }
  return bytes
}

const AGGREGATION = 0x40010001
const KSR_SIGNATURE = 0x00060002

/** Case 106: tagged events as Windows writes them. */
const WINDOWS = changedBoots(106, [
  alsoMeasures(
    'aggregations-in-aggregations',
    'a tagged event nests five thousand others',
    measures(13, 'EVENT_TAG', nested(5000)),
    'either',
  ),
  alsoMeasures(
    'tag-of-no-bytes',
    'a tagged event states no data and has some',
    measures(13, 'EVENT_TAG', taggedEvent(AGGREGATION, filled(8), 0)),
    'either',
  ),
  alsoMeasures(
    'ksr-signature',
    'a tagged event holds the signature of a boot manager',
    measures(13, 'EVENT_TAG', taggedEvent(KSR_SIGNATURE, filled(64, 0x5a))),
    'either',
  ),
])

const HOSTILE = [
  '"quoted" \\ back',
  'line\nbreak\u2028',
  '\u001b[31mred\u001b[0m',
  `{{7*7}} $${'{'}7*7} <b>&amp;`,
] as const

/** Case 107: texts that a report must escape. */
const TEXTS = changedBoots(
  107,
  HOSTILE.map((hostile, at) => ({
    slug: `text-${['quoted', 'two-lines', 'coloured', 'template'][at]}`,
    what: `a loader measures the command ${JSON.stringify(hostile)}`,
    outcome: 'either' as const,
    firmware: inserted(measures(8, 'IPL', zeroEnded(`grub_cmd: ${hostile}`), text(hostile))),
  })),
)

/** Case 94: events of a hardware root of trust, which precede all others. */
const HARDWARE = changedBoots(94, [
  {
    slug: 'hcrtm-not-first',
    what: 'a hardware root of trust is reported after the first measurement',
    outcome: 'either',
    firmware: inserted(
      measures(0, 'EFI_HCRTM_EVENT', text('HCRTM')),
      ofType(0, EV.EFI_PLATFORM_FIRMWARE_BLOB),
    ),
  },
  {
    slug: 'hcrtm-of-4',
    what: 'the event of a hardware root of trust has four bytes, and its TPM was started from locality 0',
    outcome: 'fails',
    firmware: inserted(measures(0, 'EFI_HCRTM_EVENT', u32le(0)), () => true),
  },
])

/** Unexpected measurements, logged correctly: cases 94 and 102 to 107. */
export const DATA_FAULTS: readonly UefiFault[] = [
  ...HARDWARE,
  ...SIGNATURE_LISTS,
  ...VARIABLES,
  ...PATHS,
  ...LENGTHS,
  ...WINDOWS,
  ...TEXTS,
]
