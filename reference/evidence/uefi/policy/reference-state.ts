import { hashByName } from '../../../tpm/algorithms.ts'
import { compileExcludes } from '../../ima/policy/excludes.ts'
import {
  type JsonObject,
  listAt,
  objectAt,
  parseJson,
  textAt,
} from '../../ima/policy/policy-shape.ts'
import { PolicyError } from '../../policy-error.ts'
import { swappedGuid } from '../log/guid.ts'
import { UNKNOWN_OWNER } from '../log/signature-lists.ts'

/** Digests by bank, lower-case hexadecimal. */
export type Digests = ReadonlyMap<string, string>

/** A signature that a database may have, or has to have. */
interface ReferenceKey {
  readonly owner: string
  readonly data: string
}

/** Signatures of one database, by owner and data. */
interface KeySet {
  readonly entries: readonly ReferenceKey[]
  /** An owner is the same whichever way the first groups of its GUID are turned; an unknown owner matches any. */
  has(key: ReferenceKey): boolean
  /** those that are not among these */
  missingFrom(keys: readonly ReferenceKey[]): readonly ReferenceKey[]
}

/** One way in which firmware may begin: its version, and what else is measured into PCR 0, in order. */
export interface ReferenceFirmware {
  readonly scrtm: Digests
  readonly platformFirmware: readonly Digests[]
  /** what may follow these, in any order; undefined where the state does not say */
  readonly others: readonly Digests[] | undefined
}

/** One kernel, with what loads it. */
export interface ReferenceKernel {
  /** SHA-256 of the images loaded from the boot option on, in order; undefined where none is named */
  readonly images: readonly string[] | undefined
  readonly vmlinuz: string | undefined
  readonly initrd: string | undefined
  /** what else the boot loader and the kernel read; undefined where the state does not say */
  readonly otherFiles: readonly string[] | undefined
  /** whether the whole of a command line is allowed; undefined where none is named */
  readonly cmdline: ((text: string) => boolean) | undefined
}

/** The databases of Secure Boot, by their names in a reference state. */
export const KEY_MEMBERS = ['pk', 'kek', 'db', 'dbx', 'vendor_db'] as const
export type KeyMember = (typeof KEY_MEMBERS)[number]

/**
 * A measured boot reference state of upstream's `example`; absent members are not checked. Additions are
 * `other_images_authcode_sha256`, the images behind the first three, and `other_files_plain_sha256`: without it a file of
 * another name is not compared, and no digest covers the name. `other_platform_firmware` lists what follows the listed firmware in PCR 0:
 * without it anything may, under the type of a post code.
 */
export interface ReferenceState {
  readonly hasSecureboot: boolean
  readonly firmware: readonly ReferenceFirmware[] | undefined
  readonly keys: ReadonlyMap<KeyMember, KeySet>
  readonly mokdig: readonly Digests[] | undefined
  readonly mokxdig: readonly Digests[] | undefined
  readonly kernels: readonly ReferenceKernel[] | undefined
}

const MEMBERS: ReadonlySet<string> = new Set([
  ...['has_secureboot', 'scrtm_and_bios', 'mokdig', 'mokxdig', 'kernels'],
  ...KEY_MEMBERS,
])

/**
 * Reads the text of a measured boot reference state. An unknown member is refused, as no check would enforce it.
 *
 * @param name the text's name in messages
 * @throws {PolicyError} naming the path: `mb_refstate.kernels[0].kernel_cmdline`
 */
export function parseReferenceState(text: string, name = 'mb_refstate'): ReferenceState {
  const state = objectAt(parseJson(text, name), name)
  refuseOthers(state, MEMBERS, name)
  const at = (member: string) => `${name}.${member}`
  const lists = <T>(member: string, read: (value: unknown, path: string) => T) =>
    Object.hasOwn(state, member) ? listOf(state[member], at(member), read) : undefined
  return {
    hasSecureboot: flagAt(state['has_secureboot'], at('has_secureboot')),
    firmware: lists('scrtm_and_bios', firmwareAt),
    keys: new Map(
      KEY_MEMBERS.flatMap((member) => {
        const entries = lists(member, keyAt)
        return entries === undefined ? [] : [[member, keySet(entries)] as const]
      }),
    ),
    mokdig: lists('mokdig', digestsAt),
    mokxdig: lists('mokxdig', digestsAt),
    kernels: lists('kernels', kernelAt),
  }
}

function refuseOthers(object: JsonObject, known: ReadonlySet<string>, path: string): void {
  const other = Object.keys(object).find((member) => !known.has(member))
  if (other !== undefined)
    throw new PolicyError(
      `${path}.${other}`,
      `is no member of a reference state, which has ${[...known].join(', ')}`,
    )
}

function listOf<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): readonly T[] {
  return listAt(value, path, 'objects').map((each, index) => read(each, `${path}[${index}]`))
}

function flagAt(value: unknown, path: string): boolean {
  if (value === undefined) return true
  if (typeof value !== 'boolean') throw new PolicyError(path, 'expected true or false')
  return value
}

const OTHER_FIRMWARE = 'other_platform_firmware'
const FIRMWARE_MEMBERS: ReadonlySet<string> = new Set([
  'scrtm',
  'platform_firmware',
  OTHER_FIRMWARE,
])

function firmwareAt(value: unknown, path: string): ReferenceFirmware {
  const object = objectAt(value, path)
  refuseOthers(object, FIRMWARE_MEMBERS, path)
  return {
    scrtm: digestsAt(object['scrtm'], `${path}.scrtm`),
    platformFirmware: listOf(object['platform_firmware'], `${path}.platform_firmware`, digestsAt),
    others: isNamed(object, OTHER_FIRMWARE)
      ? listOf(object[OTHER_FIRMWARE], `${path}.${OTHER_FIRMWARE}`, digestsAt)
      : undefined,
  }
}

/** One digest or more of the same thing: `{"sha256": "0x…"}`. */
function digestsAt(value: unknown, path: string): Digests {
  const object = objectAt(value, path)
  const digests = Object.entries(object).map(([bank, text]) => {
    const size = hashByName(bank)?.size
    if (size === undefined) throw new PolicyError(`${path}.${bank}`, 'is no hash that a TPM has')
    return [bank, hexAt(text, `${path}.${bank}`, size)] as const
  })
  if (digests.length === 0) throw new PolicyError(path, 'expected at least one digest')
  return new Map(digests)
}

function hexAt(value: unknown, path: string, size?: number): string {
  const digits = /^0x((?:[0-9a-f]{2})+)$/i.exec(textAt(value, path))?.[1]?.toLowerCase()
  if (digits === undefined) throw new PolicyError(path, 'expected 0x and hexadecimal digits')
  if (size !== undefined && digits.length !== size * 2)
    throw new PolicyError(path, `${digits.length} digits, expected ${size * 2}`)
  return digits
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const KEY_ENTRY_MEMBERS: ReadonlySet<string> = new Set(['SignatureOwner', 'SignatureData'])

function keyAt(value: unknown, path: string): ReferenceKey {
  const object = objectAt(value, path)
  refuseOthers(object, KEY_ENTRY_MEMBERS, path)
  const owner = textAt(object['SignatureOwner'], `${path}.SignatureOwner`)
  if (!GUID.test(owner)) throw new PolicyError(`${path}.SignatureOwner`, 'expected a GUID')
  const data = hexAt(object['SignatureData'], `${path}.SignatureData`)
  return { owner: owner.toLowerCase(), data }
}

/** Both ways in which the key may be written. */
function writtenAs({ owner, data }: ReferenceKey): readonly string[] {
  return [`${owner} ${data}`, `${swappedGuid(owner)} ${data}`]
}

function keySet(entries: readonly ReferenceKey[]): KeySet {
  const untold = entries.map(({ data }) => `${UNKNOWN_OWNER} ${data}`)
  const known = new Set([...entries.flatMap(writtenAs), ...untold])
  return {
    entries,
    has: ({ owner, data }) => known.has(`${owner} ${data}`),
    missingFrom: (keys) => {
      const there = new Set(keys.map(({ owner, data }) => `${owner} ${data}`))
      return entries.filter((entry) => !writtenAs(entry).some((each) => there.has(each)))
    },
  }
}

const IMAGES = ['shim_authcode_sha256', 'grub_authcode_sha256', 'kernel_authcode_sha256'] as const
const MORE_IMAGES = 'other_images_authcode_sha256'
const KERNEL_MEMBERS: ReadonlySet<string> = new Set([
  ...IMAGES,
  MORE_IMAGES,
  ...['vmlinuz_plain_sha256', 'initrd_plain_sha256', 'other_files_plain_sha256', 'kernel_cmdline'],
])
const SHA256_SIZE = 32

function kernelAt(value: unknown, path: string): ReferenceKernel {
  const object = objectAt(value, path)
  refuseOthers(object, KERNEL_MEMBERS, path)
  if (Object.keys(object).length === 0)
    throw new PolicyError(path, `names nothing, expected some of ${[...KERNEL_MEMBERS].join(', ')}`)
  const digest = (member: string) =>
    isNamed(object, member) ? hexAt(object[member], `${path}.${member}`, SHA256_SIZE) : undefined
  const digests = (member: string) =>
    listOf(object[member], `${path}.${member}`, (each, at) => hexAt(each, at, SHA256_SIZE))
  const others = 'other_files_plain_sha256'
  const cmdline = isNamed(object, 'kernel_cmdline')
    ? wholeText(
        textAt(object['kernel_cmdline'], `${path}.kernel_cmdline`),
        `${path}.kernel_cmdline`,
      )
    : undefined
  return {
    images: [...IMAGES, MORE_IMAGES].some((member) => isNamed(object, member))
      ? [
          ...IMAGES.map(digest).filter((each) => each !== undefined),
          ...(isNamed(object, MORE_IMAGES) ? digests(MORE_IMAGES) : []),
        ]
      : undefined,
    vmlinuz: digest('vmlinuz_plain_sha256'),
    initrd: digest('initrd_plain_sha256'),
    otherFiles: isNamed(object, others) ? digests(others) : undefined,
    cmdline,
  }
}

function isNamed(object: JsonObject, member: string): boolean {
  return Object.hasOwn(object, member)
}

/** Expressions of command lines are those of path excludes, except that they have to match up to the end. */
function wholeText(expression: string, path: string): (text: string) => boolean {
  try {
    compileExcludes([expression])
    return compileExcludes([`(?:${expression})\\z`])
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    throw new PolicyError(path, error.problem, { cause: error })
  }
}
