import { toHex } from '../../../bytes/hex.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { hashByName } from '../../../tpm/algorithms.ts'
import { runChecks } from '../../check.ts'
import type { Finding } from '../../findings.ts'
import type { ReadEvent } from '../log/event-data.ts'
import { type BootLog, EV_NO_ACTION } from '../log/parse-log.ts'
import { replayBank, startupLocality } from '../log/replay.ts'
import { type BootPolicyCase, eventsOf, sortEvents } from './boot-policy-case.ts'
import { bootPolicyChecks } from './boot-policy-checks.ts'
import { mayBeUnlisted } from './firmware-checks.ts'
import { commandLines, fileDigests, imageDigests, readFiles } from './kernel-checks.ts'
import { isSecureBootOn, measuredKeys } from './key-checks.ts'
import { mokName } from './mok-checks.ts'
import { KEY_MEMBERS, parseReferenceState } from './reference-state.ts'

/** A measured boot reference state, with notes for the user. */
interface DerivedState {
  readonly state: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
}

/** Banks that a state has digests of, when the log has them too. */
const BANKS = ['sha1', 'sha256', 'sha384', 'sha512'] as const

/** The bank that kernels have their digests in, and so the one that the data of events is held against. */
const KERNEL_BANK = 'sha256'

/**
 * The reference state under which exactly this boot passes: its firmware, keys, kernel and command line.
 *
 * @throws {WireError} when the log does not replay, or has no SHA-256 digests
 */
export function deriveState(log: BootLog): DerivedState {
  const bank = hashByName(KERNEL_BANK)
  if (!bank || !log.banks.includes(KERNEL_BANK))
    throw new WireError('LOG', 0, `has digests of ${log.banks.join(', ')}, and none of sha256`)
  replayBank(log, bank, startupLocality(log.events))
  const boot = { policy: NOTHING_ASKED, ...sortEvents(log, bank) }
  const state = { has_secureboot: isSecureBootOn(boot), ...partsOf(boot) }
  return { state, notes: [...notesOn(boot, state), ...unjudged(log)] }
}

const NOTHING_ASKED = { name: 'example', state: parseReferenceState('{}') } as const

type Part = Readonly<Record<string, unknown>>

function partsOf(boot: BootPolicyCase): Part {
  const { kernel } = kernelOf(boot)
  return {
    ...firmwareOf(boot),
    ...keysOf(boot),
    mokdig: moksOf(boot, 'MokList'),
    mokxdig: moksOf(boot, 'MokListX'),
    ...(Object.keys(kernel).length > 0 && { kernels: [kernel] }),
  }
}

/** Digests of an event in every bank that a quote may be of: `{"sha256": "0x…"}`. */
function digestsOf({ digests }: ReadEvent): Part {
  const known = BANKS.flatMap((bank) => {
    const digest = digests.get(bank)
    return digest ? [[bank, `0x${toHex(digest)}`] as const] : []
  })
  return Object.fromEntries(known)
}

/** What may vary from boot to boot at the end of PCR 0 has a list of its own, which an operator can leave out. */
function firmwareOf(boot: BootPolicyCase): Part {
  const [version] = eventsOf(boot, 'crtm')
  const firmware = eventsOf(boot, 'firmware')
  const listed = firmware.slice(0, firmware.findLastIndex((event) => !mayBeUnlisted(event)) + 1)
  if (!version) return {}
  const scrtm = digestsOf(version)
  const others = firmware.slice(listed.length).map(digestsOf)
  const firmwares = { platform_firmware: listed.map(digestsOf), other_platform_firmware: others }
  return { scrtm_and_bios: [{ scrtm, ...firmwares }] }
}

function keysOf(boot: BootPolicyCase): Part {
  const databases = KEY_MEMBERS.flatMap((member) => {
    const entries = measuredKeys(boot, member)?.map(({ owner, data }) => ({
      SignatureOwner: owner,
      SignatureData: `0x${data}`,
    }))
    return entries ? [[member, entries] as const] : []
  })
  return Object.fromEntries(databases)
}

function moksOf(boot: BootPolicyCase, name: string): readonly Part[] {
  return eventsOf(boot, 'mok').flatMap((event) =>
    mokName(event) === name ? [digestsOf(event)] : [],
  )
}

const IMAGES = ['shim_authcode_sha256', 'grub_authcode_sha256', 'kernel_authcode_sha256'] as const

/** The images are named in the order in which they were loaded; a single one boots a kernel directly. */
function kernelOf(boot: BootPolicyCase): {
  readonly kernel: Part
  readonly notes: readonly string[]
} {
  const images = imageDigests(boot)
  const names = images.length === 1 ? IMAGES.slice(-1) : IMAGES
  const more = images.slice(IMAGES.length).map((digest) => `0x${digest}`)
  const [vmlinuz, initrd] = [only(fileDigests(boot, 'vmlinuz')), only(fileDigests(boot, 'initrd'))]
  const line = only(commandLines(boot))
  const files = readFiles(boot)
  const others = new Set(files.filter((digest) => digest !== vmlinuz && digest !== initrd))
  const kernel = {
    ...Object.fromEntries(names.flatMap((name, at) => imageNamed(name, images[at]))),
    ...((more.length > 0 || (images.length === 0 && files.length > 0)) && {
      other_images_authcode_sha256: more,
    }),
    ...(vmlinuz && { vmlinuz_plain_sha256: `0x${vmlinuz}` }),
    ...(initrd && { initrd_plain_sha256: `0x${initrd}` }),
    ...(files.length > 0 && {
      other_files_plain_sha256: [...others].map((digest) => `0x${digest}`),
    }),
    ...(line !== undefined && { kernel_cmdline: quoted(line) }),
  }
  const said: readonly (readonly [boolean, string])[] = [
    [
      !vmlinuz && names.length > 1 && images.length < 3,
      'the file of the kernel is not listed: none, or more than one, was measured',
    ],
    [!initrd, 'the initrd is not listed: none, or more than one, was measured'],
    [line === undefined, 'the command line is not listed: none, or more than one, was measured'],
  ]
  return { kernel, notes: said.flatMap(([holds, note]) => (holds ? [note] : [])) }
}

function imageNamed(name: string, digest: string | undefined) {
  return digest === undefined ? [] : [[name, `0x${digest}`] as const]
}

function only(seen: readonly string[]): string | undefined {
  const different = [...new Set(seen)]
  return different.length === 1 ? different[0] : undefined
}

/** A text as the expression that matches just it. */
function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** PCRs of a kernel image with its parts, of its parameters, and of what extends it (systemd): no member speaks of them. */
const STUB_PCRS: readonly number[] = [11, 12, 13]

function unjudged({ events }: BootLog): readonly string[] {
  const measured = STUB_PCRS.filter((pcr) =>
    events.some((event) => event.pcr === pcr && event.untrustedType !== EV_NO_ACTION),
  )
  return measured.map(
    (pcr) =>
      `PCR ${pcr} has measurements that no member of the state covers: list its value in tpm_policy`,
  )
}

/** Notes on why the boot fails under its own state, and on what the state does not cover. */
function notesOn(boot: BootPolicyCase, state: Part): readonly string[] {
  const left = failuresUnder(boot, state).map(
    ({ context }) => `this very boot does not pass: ${context.message}`,
  )
  const workarounds = new Set(
    boot.events.flatMap(({ data }) =>
      data.kind === 'known' && data.workaround ? [data.workaround] : [],
    ),
  )
  return [
    ...left,
    ...kernelOf(boot).notes,
    ...[...workarounds].map((name) => `the log departs from the specification: ${name}`),
  ]
}

function failuresUnder(boot: BootPolicyCase, state: Part): readonly Finding[] {
  const policy = { name: 'example', state: parseReferenceState(JSON.stringify(state)) } as const
  const asked = bootPolicyChecks.filter(({ of }) => of.includes('example'))
  return runChecks(asked, { ...boot, policy })
}
