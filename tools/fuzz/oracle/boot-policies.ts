import { at, listOf } from '../../../conformance/attempt/reply.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { equal, toHex, u32le } from '../../../simulator/tpm/write.ts'
import { EV, type EventName } from '../../../simulator/uefi/event-types.ts'
import {
  readCommand,
  readSignatureLists,
  readVariable,
  type VariableData,
} from '../../../simulator/uefi/read-data.ts'
import { objectOf } from './documents.ts'
import { matchesWhole } from './expressions.ts'
import type { MeasuredEvent } from './read-boot.ts'

type Events = readonly MeasuredEvent[]
type Policy = Readonly<Record<string, unknown>>

function isType({ type }: MeasuredEvent, ...names: readonly EventName[]): boolean {
  return names.some((name) => EV[name] === type)
}

/** Whether a policy, or a part of one, names a value in hexadecimal anywhere. */
function names(part: unknown, value: Uint8Array): boolean {
  return JSON.stringify(part ?? null)
    .toLowerCase()
    .includes(toHex(value))
}

function isFilled(part: unknown): boolean {
  return (listOf(part) ?? []).length > 0
}

/** A reference state: an object that says whether Secure Boot is to be on. */
function stateOf(text: string): Policy | undefined {
  const policy = objectOf(text)
  return typeof policy?.has_secureboot === 'boolean' ? policy : undefined
}

/** Whether this is a reference state, which then needs a log and PCRs to judge. */
export function isReferenceState(text: string): boolean {
  return stateOf(text) !== undefined
}

function variableOf({ data }: MeasuredEvent): VariableData | undefined {
  try {
    return readVariable(data)
  } catch {
    return undefined // whether such data may be taken is for each reader to say
  }
}

function variables(events: Events): readonly MeasuredEvent[] {
  return events.filter((event) => event.pcr === 7 && isType(event, 'EFI_VARIABLE_DRIVER_CONFIG'))
}

function contentOf(events: Events, name: string): Uint8Array | undefined {
  return variables(events)
    .filter(({ proven }) => proven)
    .map(variableOf)
    .find((variable) => variable?.name === name)?.data
}

/** The signatures of a database; undefined where it cannot be read, or was not measured. */
function signaturesIn(events: Events, name: string): readonly Uint8Array[] | undefined {
  const content = contentOf(events, name)
  try {
    return content && readSignatureLists(content).map(({ data }) => data)
  } catch {
    return undefined
  }
}

/** Secure Boot that the policy wants, and that no proven variable says to be on. */
function lacksSecureBoot(policy: Policy, events: Events): boolean {
  const content = contentOf(events, 'SecureBoot')
  return policy.has_secureboot === true && !(content?.length === 1 && content[0] === 1)
}

const KEYS = [
  ['pk', 'PK'],
  ['kek', 'KEK'],
  ['db', 'db'],
] as const

function hasForeignKey(policy: Policy, events: Events): boolean {
  return KEYS.some(([member, name]) => {
    const wanted = policy[member]
    const shown = signaturesIn(events, name) ?? []
    return listOf(wanted) !== undefined && shown.some((one) => !names(wanted, one))
  })
}

/** Something that the policy wants revoked and the firmware does not. */
function forgetsRevocation({ dbx }: Policy, events: Events): boolean {
  const shown = signaturesIn(events, 'dbx')?.map((one) => `0x${toHex(one)}`)
  const wanted = (listOf(dbx) ?? []).map((one) => at(one, 'SignatureData'))
  return wanted.some(
    (one) => typeof one === 'string' && shown?.includes(one.toLowerCase()) === false,
  )
}

/** A further image in PCR 4, where every kernel of the policy names its images. */
function hasForeignImage({ kernels }: Policy, events: Events): boolean {
  const named = (listOf(kernels) ?? []).every((one) => at(one, 'kernel_authcode_sha256'))
  const images = events.filter(
    (event) => event.pcr === 4 && isType(event, 'EFI_BOOT_SERVICES_APPLICATION'),
  )
  return isFilled(kernels) && named && images.some((image) => !names(kernels, image.digest))
}

function hasForeignFirmware({ scrtm_and_bios: wanted }: Policy, events: Events): boolean {
  const blobs = events.filter(
    (event) =>
      event.pcr === 0 &&
      isType(event, 'S_CRTM_VERSION', 'EFI_PLATFORM_FIRMWARE_BLOB', 'EFI_PLATFORM_FIRMWARE_BLOB2'),
  )
  return isFilled(wanted) && blobs.some((blob) => !names(wanted, blob.digest))
}

/** The signature of a database that let an image start, when it is proven. */
function authorityIn(event: MeasuredEvent): Uint8Array | undefined {
  const isAuthority = event.pcr === 7 && isType(event, 'EFI_VARIABLE_AUTHORITY') && event.proven
  const variable = isAuthority ? variableOf(event) : undefined
  return variable?.name === 'db' && variable.data.length > OWNER_SIZE
    ? variable.data.subarray(OWNER_SIZE)
    : undefined
}

/** Bytes of the owner before a signature. */
const OWNER_SIZE = 16

function hasForeignAuthority({ db }: Policy, events: Events): boolean {
  const authorities = events.map(authorityIn).filter((one) => one !== undefined)
  return listOf(db) !== undefined && authorities.some((one) => !names(db, one))
}

/** The member that every kernel of a policy names; undefined when there is one that does not. */
function ofKernels({ kernels }: Policy, member: string): readonly unknown[] | undefined {
  const named = (listOf(kernels) ?? []).map((one) => at(one, member))
  return named.length > 0 && !named.includes(undefined) ? named : undefined
}

/** Command lines of kernels whose digests are those of their texts. */
function commandLines(events: Events): readonly string[] {
  return events.flatMap((event) => {
    const command = event.pcr === 8 && isType(event, 'IPL') ? readCommand(event.data) : undefined
    const isLine = command?.prefix === 'kernel_cmdline'
    return isLine && equal(digest('sha256', command.hashed), event.digest)
      ? [Buffer.from(command.hashed).toString('latin1')]
      : []
  })
}

/** A command line that no kernel of the policy has, from its start to its end. */
function hasForeignCommand(policy: Policy, events: Events): boolean {
  const wanted = ofKernels(policy, 'kernel_cmdline')
  if (wanted === undefined) return false
  return commandLines(events).some((line) =>
    wanted.every((one) => matchesWhole(one, line) === false),
  )
}

const FILES = [
  ['vmlinuz_plain_sha256', /vmlinuz/i],
  ['initrd_plain_sha256', /initrd/i],
] as const

/** A file by the name of a kernel, or of what it starts with, that no kernel of the policy has. */
function hasForeignFile(policy: Policy, events: Events): boolean {
  return FILES.some(([member, name]) => {
    const wanted = ofKernels(policy, member)
    const files = events.filter(
      (event) =>
        event.pcr === 9 &&
        isType(event, 'IPL', 'EVENT_TAG') &&
        name.test(Buffer.from(event.data).toString('latin1')),
    )
    return wanted !== undefined && files.some((file) => !names(wanted, file.digest))
  })
}

const SHIM_LISTS = [
  ['mokdig', 'MokList\0'],
  ['mokxdig', 'MokListX\0'],
] as const

function hasForeignMok(policy: Policy, events: Events): boolean {
  return SHIM_LISTS.some(([member, name]) => {
    const wanted = policy[member]
    const shown = events.filter(
      ({ pcr, data }) => pcr === 14 && Buffer.from(data).toString('latin1') === name,
    )
    return isFilled(wanted) && shown.some((one) => !names(wanted, one.digest))
  })
}

const ERROR = digest('sha256', u32le(1))

function tellsOfAnError(_: Policy, events: Events): boolean {
  return events.some(
    (event) => event.pcr < 8 && isType(event, 'SEPARATOR') && equal(event.digest, ERROR),
  )
}

/** A variable of PCR 7 whose logged content is not what was measured. */
function hasUnprovenVariable({ has_secureboot }: Policy, events: Events): boolean {
  return has_secureboot === true && variables(events).some(({ proven }) => !proven)
}

const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(EV))

/** An event of an unknown type in a PCR that decides what may run. */
function hasUnknownType(_: Policy, events: Events): boolean {
  return events.some(({ pcr, type }) => (pcr === 4 || pcr === 7) && !KNOWN_TYPES.has(type))
}

/** What a boot may not show under a reference state; each ends a sentence that begins with "the evidence". */
const BOOT_ROWS = {
  'boot-secure': lacksSecureBoot,
  'boot-unproven': hasUnprovenVariable,
  'boot-type': hasUnknownType,
  'boot-error': tellsOfAnError,
  'boot-key': hasForeignKey,
  'boot-revoked': forgetsRevocation,
  'boot-firmware': hasForeignFirmware,
  'boot-mok': hasForeignMok,
  'boot-image': hasForeignImage,
  'boot-authority': hasForeignAuthority,
  'boot-command': hasForeignCommand,
  'boot-file': hasForeignFile,
} as const

export type BootRow = keyof typeof BOOT_ROWS

/** Whether events that the quote proves break one rule of a reference state; of other policies nothing is said. */
export function breaksBootRow(row: BootRow, text: string, events: Events): boolean {
  const policy = stateOf(text)
  return policy !== undefined && BOOT_ROWS[row](policy, events)
}
