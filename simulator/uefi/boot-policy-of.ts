import { type Bank, HASHES } from '../tpm/hash.ts'
import { filled, toHex } from '../tpm/write.ts'
import { EV, type EventName } from './event-types.ts'
import type { UefiEvent } from './log.ts'
import { readCommand, readSignatureLists, readVariable, type VariableData } from './read-data.ts'

type Digests = Readonly<Record<string, string>>

interface Signature {
  readonly SignatureOwner: string
  readonly SignatureData: string
}

/** A measured boot reference state, in the spelling of the wire. */
export interface BootPolicy {
  readonly has_secureboot: boolean
  readonly scrtm_and_bios?: readonly {
    readonly scrtm: Digests
    readonly platform_firmware: readonly Digests[]
  }[]
  readonly pk?: readonly Signature[]
  readonly kek?: readonly Signature[]
  readonly db?: readonly Signature[]
  readonly dbx?: readonly Signature[]
  readonly vendor_db?: readonly Signature[]
  readonly mokdig?: readonly Digests[]
  readonly mokxdig?: readonly Digests[]
  readonly kernels?: readonly Digests[]
}

/** Banks in which deployed policies are written. */
const POLICY_BANKS: readonly Bank[] = ['sha1', 'sha256', 'sha384', 'sha512']

function hexOf(event: UefiEvent, bank: Bank): string {
  return `0x${toHex(event.digests.get(HASHES[bank].alg) ?? filled(HASHES[bank].size))}`
}

function digestsOf(event: UefiEvent): Digests {
  return Object.fromEntries(POLICY_BANKS.map((bank) => [bank, hexOf(event, bank)]))
}

type Find = (pcr: number, ...types: readonly EventName[]) => readonly UefiEvent[]

function finder(events: readonly UefiEvent[]): Find {
  return (pcr, ...types) => {
    const wanted = new Set<number>(types.map((type) => EV[type]))
    return events.filter((event) => event.pcr === pcr && wanted.has(event.type))
  }
}

function textOf({ data }: UefiEvent): string {
  return Buffer.from(data).toString('latin1').replace(/\0$/, '')
}

function signaturesOf(variable: VariableData | undefined): readonly Signature[] {
  return readSignatureLists(variable?.data ?? filled(0)).map(({ owner, data }) => ({
    SignatureOwner: owner,
    SignatureData: `0x${toHex(data)}`,
  }))
}

/** Images loaded after the firmware, in the order of a boot with shim and grub. */
const IMAGES = ['shim_authcode_sha256', 'grub_authcode_sha256', 'kernel_authcode_sha256'] as const

function imagesOf(images: readonly UefiEvent[]): Digests {
  const names = images.length === 1 ? IMAGES.slice(-1) : IMAGES
  return Object.fromEntries(
    images.slice(0, names.length).map((image, at) => [names[at] ?? '', hexOf(image, 'sha256')]),
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function kernelOf(find: Find): Digests {
  const files = find(9, 'IPL', 'EVENT_TAG')
  const initrd = files.find((event) => /initrd/i.test(textOf(event)))
  const lines = find(8, 'IPL').flatMap(({ data }) => {
    const command = readCommand(data)
    return command?.prefix === 'kernel_cmdline' ? [Buffer.from(command.hashed).toString()] : []
  })
  return {
    ...imagesOf(find(4, 'EFI_BOOT_SERVICES_APPLICATION')),
    ...(initrd && { initrd_plain_sha256: hexOf(initrd, 'sha256') }),
    ...(lines[0] !== undefined && { kernel_cmdline: escaped(lines[0]) }),
  }
}

/** Returns shim's lists in PCR 14 by name. */
function shimListOf(find: Find, name: string): readonly Digests[] {
  return find(14, 'IPL')
    .filter((event) => textOf(event) === name)
    .map(digestsOf)
}

/** Returns the measured boot reference state that accepts only this boot: its firmware, keys, lists and kernel. */
export function bootPolicyOf(events: readonly UefiEvent[]): BootPolicy {
  const find = finder(events)
  const variables = find(7, 'EFI_VARIABLE_DRIVER_CONFIG').map(({ data }) => readVariable(data))
  const variable = (name: string) => variables.find((one) => one.name === name)
  const [version] = find(0, 'S_CRTM_VERSION')
  const blobs = find(0, 'EFI_PLATFORM_FIRMWARE_BLOB', 'EFI_PLATFORM_FIRMWARE_BLOB2')
  const kernel = kernelOf(find)
  return {
    has_secureboot: variable('SecureBoot')?.data[0] === 1,
    ...(version && {
      scrtm_and_bios: [{ scrtm: digestsOf(version), platform_firmware: blobs.map(digestsOf) }],
    }),
    pk: signaturesOf(variable('PK')),
    kek: signaturesOf(variable('KEK')),
    db: signaturesOf(variable('db')),
    dbx: signaturesOf(variable('dbx')),
    mokdig: shimListOf(find, 'MokList'),
    mokxdig: shimListOf(find, 'MokListX'),
    ...(Object.keys(kernel).length > 0 && { kernels: [kernel] }),
  }
}
