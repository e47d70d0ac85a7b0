import { TPM_ALG } from '../../../../../simulator/tpm/constants.ts'
import { toHex } from '../../../../../simulator/tpm/write.ts'
import type { BootPolicy } from '../../../../../simulator/uefi/boot-policy-of.ts'
import { EVENTS } from '../../../../../simulator/vectors/uefi/log-evidence.ts'
import { type NearMiss, type NearMissGroup, sameEnd, sameStart } from '../near-miss.ts'
import { booted } from './evidence.ts'

const ROW = 'VER-EVIDENCE-BOOT-JUDGES'

/** The same boot under another policy. */
function under(
  sends: string,
  policy: (policy: BootPolicy) => BootPolicy,
  breaks?: string,
): NearMiss {
  return { sends, ...(breaks && { breaks }), evidence: () => booted({ policy }) }
}

type Path = readonly (string | number)[]

/** Returns the value with the one at a path replaced. */
function edited(value: unknown, [key, ...rest]: Path, edit: (value: unknown) => unknown): unknown {
  if (key === undefined) return edit(value)
  if (Array.isArray(value)) return value.with(Number(key), edited(value[Number(key)], rest, edit))
  const members = value as Readonly<Record<string, unknown>>
  return { ...members, [key]: edited(members[key], rest, edit) }
}

function withAt(path: Path, edit: (value: unknown) => unknown) {
  return (policy: BootPolicy) => edited(policy, path, edit) as BootPolicy
}

/** Changes a digest, or each of an object of them. */
function inHex(alter: (bytes: Uint8Array) => Uint8Array) {
  const one = (hex: unknown) =>
    `0x${Buffer.from(alter(Buffer.from(String(hex).slice(2), 'hex'))).toString('hex')}`
  return (value: unknown): unknown =>
    typeof value === 'string'
      ? one(value)
      : Object.fromEntries(Object.entries(value ?? {}).map(([bank, hex]) => [bank, one(hex)]))
}

const FIRMWARE = ['scrtm_and_bios', 0] as const
const KERNEL = ['kernels', 0] as const
const DIGESTS: readonly (readonly [says: string, path: Path])[] = [
  ['the version of the firmware', [...FIRMWARE, 'scrtm']],
  ['the first part of the firmware', [...FIRMWARE, 'platform_firmware', 0]],
  ['the last part of the firmware', [...FIRMWARE, 'platform_firmware', 1]],
  ['shim', [...KERNEL, 'shim_authcode_sha256']],
  ['grub', [...KERNEL, 'grub_authcode_sha256']],
  ['the kernel', [...KERNEL, 'kernel_authcode_sha256']],
  ['the initrd', [...KERNEL, 'initrd_plain_sha256']],
  ['MokList', ['mokdig', 0]],
  ['MokListX', ['mokxdig', 0]],
]

/** Names the file of the kernel too, which the boot loader measures before it starts the image in it. */
function withFile(alter: (digest: Uint8Array) => Uint8Array) {
  const [file] = EVENTS.filter(
    ({ pcr, data }) => pcr === 9 && Buffer.from(data).toString('latin1').includes('vmlinuz'),
  )
  const digest = alter(file?.digests.get(TPM_ALG.SHA256) ?? new Uint8Array())
  return withAt(KERNEL, (kernel) => ({
    ...(kernel as object),
    vmlinuz_plain_sha256: `0x${toHex(digest)}`,
  }))
}

const FILE_OF_KERNEL: readonly NearMiss[] = [
  under(
    'a policy that names the file of the kernel too',
    withFile((digest) => digest),
  ),
  under('a policy that names another file of the kernel', withFile(sameStart), ROW),
]

const NEAR_DIGESTS: readonly NearMiss[] = DIGESTS.flatMap(([says, path]) => [
  under(`a policy whose digest of ${says} begins alike`, withAt(path, inHex(sameStart)), ROW),
  under(`a policy whose digest of ${says} ends alike`, withAt(path, inHex(sameEnd)), ROW),
])

/** Puts an entry with one other digest before the listed one. */
function withOtherFirst(list: 'scrtm_and_bios' | 'kernels' | 'mokdig', path: Path) {
  return withAt([list], (value) => {
    const entries = value as readonly unknown[]
    return [edited(entries[0], path, inHex(sameStart)), ...entries]
  })
}

const LISTED: readonly NearMiss[] = [
  under('a policy that lists the firmware second', withOtherFirst('scrtm_and_bios', ['scrtm'])),
  under(
    'a policy that lists the kernel second',
    withOtherFirst('kernels', ['kernel_authcode_sha256']),
  ),
  under('a policy that lists MokList second', withOtherFirst('mokdig', [])),
]

const LISTS: readonly NearMiss[] = [
  ...(['scrtm_and_bios', 'kernels', 'mokdig'] as const).map((list) =>
    under(
      `a policy with an empty list of ${list}`,
      withAt([list], () => []),
      ROW,
    ),
  ),
  under(
    'a policy with the digest of the firmware in another bank only',
    withAt([...FIRMWARE, 'scrtm'], (value) => ({
      sha1: (value as Readonly<Record<string, unknown>>)['sha1'],
    })),
    ROW,
  ),
  under(
    'a policy that lists the image of the kernel and its command line in two kernels',
    withAt(['kernels'], (value) => {
      const [kernel] = value as readonly unknown[]
      return [
        edited(kernel, ['kernel_cmdline'], () => 'quiet'),
        edited(kernel, ['kernel_authcode_sha256'], inHex(sameStart)),
      ]
    }),
    ROW,
  ),
  under(
    'a policy with two command lines, one of which is the beginning of the booted one',
    withAt(['kernels'], (value) => {
      const [kernel] = value as readonly unknown[]
      return [edited(kernel, ['kernel_cmdline'], (line) => `${String(line).slice(0, -1)}|quiet`)]
    }),
    ROW,
  ),
  under(
    'a policy that lists MokList and MokListX for each other',
    (policy) => ({ ...policy, mokdig: policy.mokxdig ?? [], mokxdig: policy.mokdig ?? [] }),
    ROW,
  ),
]

export const BOOT_POLICY: NearMissGroup = {
  id: 'boot-policy',
  title: 'The verifier compares every digest of a boot with the measured boot policy',
  needs: ['uefi_log', 'measured_boot'],
  rows: [...LISTED, ...FILE_OF_KERNEL, ...NEAR_DIGESTS, ...LISTS, ...LISTED.slice(0, 1)],
}
