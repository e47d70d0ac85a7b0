import type { Fact } from '../inspection.ts'
import { pathWords, safe } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'
import { at, type JsonNode, textOf } from './json-source.ts'

export const STATE_ABOUT =
  'A measured boot reference state: the firmware, keys, kernels and command lines that a machine may boot. A verifier evaluates a firmware log with it.'

const KERNEL_DIGESTS: readonly (readonly [member: string, what: string])[] = [
  ['shim_authcode_sha256', 'shim'],
  ['grub_authcode_sha256', 'boot loader'],
  ['kernel_authcode_sha256', 'kernel'],
  ['vmlinuz_plain_sha256', 'kernel as a file'],
  ['initrd_plain_sha256', 'initial RAM disk'],
]
const KERNEL_LISTS: readonly (readonly [member: string, what: string])[] = [
  ['other_images_authcode_sha256', 'further images'],
  ['other_files_plain_sha256', 'further files'],
]

/** Member of the state -> name of its fact, and what a log must hold if the state has the member. */
const KEYS: readonly (readonly [member: string, name: string, means: string])[] = [
  ['pk', 'platform key', 'no other may be enrolled'],
  ['kek', 'key exchange keys', 'no other may be enrolled'],
  ['db', 'allowed signers', 'no other may be enrolled'],
  ['dbx', 'revoked signers', 'at least these must be enrolled'],
  ['vendor_db', 'vendor signers', 'no other may be enrolled'],
  ['mokdig', 'machine owner keys', 'no other may be enrolled'],
  ['mokxdig', 'revoked owner keys', 'no other may be enrolled'],
]
const MEMBERS = ['has_secureboot', 'scrtm_and_bios', 'kernels', ...KEYS.map(([member]) => member)]
const KERNEL_MEMBERS = [
  'kernel_cmdline',
  ...[...KERNEL_DIGESTS, ...KERNEL_LISTS].map(([member]) => member),
]

/** Whether a JSON object is a measured boot reference state. */
export function isReferenceState(root: JsonNode): boolean {
  return MEMBERS.some((member) => at(root, member) !== undefined)
}

function count(node: JsonNode | undefined): number {
  return node?.items?.length ?? 0
}

function firmwareFact(root: JsonNode): string {
  const listed = at(root, 'scrtm_and_bios')?.items
  if (listed === undefined) return 'not named: any firmware is accepted'
  const ways = listed.map((way) => {
    const others = at(way, 'other_platform_firmware')
    const behind =
      others === undefined
        ? 'then anything with the type of a post code'
        : `then ${count(others)} more in any order`
    return `its version and ${count(at(way, 'platform_firmware'))} parts in order, ${behind}`
  })
  return `PCR 0 holds ${ways.join('; or ') || 'nothing that is accepted: the list is empty'}`
}

function kernelFact(kernel: JsonNode): string {
  const digests = KERNEL_DIGESTS.filter(([member]) => at(kernel, member) !== undefined)
  const lists = KERNEL_LISTS.flatMap(([member, what]) => {
    const list = at(kernel, member)
    return list === undefined ? [] : [`${count(list)} ${what}`]
  })
  const cmdline = textOf(at(kernel, 'kernel_cmdline'))
  const line = cmdline === undefined ? [] : [`the command line matches ${pathWords(cmdline)}`]
  return [...digests.map(([, what]) => what), ...lists, ...line].join(', ')
}

/** What each part of a state accepts. */
export function stateFacts(root: JsonNode): readonly Fact[] {
  const secure = at(root, 'has_secureboot')?.value !== false
  return [
    { name: 'Secure Boot', value: `the log must say that it is ${secure ? 'on' : 'off'}` },
    { name: 'firmware', value: firmwareFact(root) },
    ...KEYS.map(([member, name, means]) => {
      const node = at(root, member)
      return { name, value: node === undefined ? 'not named' : `${count(node)}; ${means}` }
    }),
    ...(at(root, 'kernels')?.items ?? []).map((kernel, index) => ({
      name: `kernel ${index + 1}`,
      value: kernelFact(kernel) || 'nothing is named',
    })),
  ]
}

/** Collects the warnings of a state: members that no check enforces, and parts that are not compared. */
export function warnOfState(root: JsonNode, part: string, warnings: Warnings): void {
  const warn = (id: WarningId, { start }: JsonNode, path: string) =>
    warnings.add(id, { part, offset: start, path, says: safe(path) })
  const warnOfOthers = (node: JsonNode, known: readonly string[], before: string) => {
    for (const { key, node: inner } of node.members ?? [])
      if (!known.includes(key)) warn('unknown-member', inner, `${before}${safe(key)}`)
  }
  const warnOfAbsent = (node: JsonNode, wanted: readonly string[], before: string) => {
    for (const member of wanted)
      if (at(node, member) === undefined) warn('not-compared', node, `${before}${member}`)
  }
  warnOfOthers(root, MEMBERS, '')
  warnOfAbsent(root, ['scrtm_and_bios', 'pk', 'kek', 'db', 'dbx', 'kernels'], '')
  for (const [index, kernel] of (at(root, 'kernels')?.items ?? []).entries()) {
    const before = `kernels[${index}].`
    warnOfOthers(kernel, KERNEL_MEMBERS, before)
    warnOfAbsent(
      kernel,
      ['initrd_plain_sha256', 'kernel_cmdline', 'other_files_plain_sha256'],
      before,
    )
  }
  for (const [index, way] of (at(root, 'scrtm_and_bios')?.items ?? []).entries())
    warnOfAbsent(way, ['other_platform_firmware'], `scrtm_and_bios[${index}].`)
}
