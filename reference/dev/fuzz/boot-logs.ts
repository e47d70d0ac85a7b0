import { concat } from '../../bytes/writer.ts'
import {
  parseReferenceState,
  type ReferenceState,
} from '../../evidence/uefi/policy/reference-state.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import {
  le,
  type ModelEvent,
  type ModelLog,
  readModelLog,
  replayModel,
  SHA1,
  SHA256,
  sha,
  writeModelLog,
} from './models/boot-events.ts'
import type { Input } from './target.ts'

/** A boot log, the PCRs that were quoted, and what judges it. */
export interface BootRun extends Input {
  readonly log: Uint8Array
  /** PCR -> quoted value of the SHA-256 bank */
  readonly quoted: Readonly<Record<string, Uint8Array>>
  /** number of a reference state, -1 for none */
  readonly state: number
  /** name of a boot policy */
  readonly policy: string
}

export const BOOT_PCRS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

const text = (value: string) => new Uint8Array(Buffer.from(value, 'latin1'))
const EFI = 0x80000000

/** An event whose digests are of `measured`, which is its data unless told. */
function event(pcr: number, type: number, data: Uint8Array, measured = data): ModelEvent {
  const digests = [[SHA1, sha(measured, 'sha1')] as const, [SHA256, sha(measured)] as const]
  return { pcr, type, digests, data }
}

const GLOBAL = '61dfe48bca93d211aa0d00e098032b8c'
const SECURITY = 'cbb219d73a3d9645a3bcdad00e67656f'
const OWNER = 'bd9afa775903324dbd6028f4e78f784b'
const X509 = 'a159c0a5e494a74a87b5ab155c2bf072'
const DIGEST = '2616c4c14c509240aca941f936934328'
const hex = (digits: string) => new Uint8Array(Buffer.from(digits, 'hex'))

function variable(guid: string, name: string, value: Uint8Array): Uint8Array {
  const wide = Buffer.from(name, 'utf16le')
  return concat(hex(guid), le(name.length, 8), le(value.length, 8), wide, value)
}

function list(type: string, ...signatures: readonly Uint8Array[]): Uint8Array {
  const size = 16 + (signatures[0]?.length ?? 0)
  const head = concat(hex(type), le(28 + size * signatures.length, 4), le(0, 4), le(size, 4))
  return concat(head, ...signatures.flatMap((each) => [hex(OWNER), each]))
}

const KEY = sha(text('a key'))
const REVOKED = [sha(text('one')), sha(text('two'))]

/** A short boot with one event of everything that a policy judges. */
const SHORT: readonly ModelEvent[] = [
  event(0, 8, text('version')),
  event(0, EFI + 8, new Uint8Array(16), text('volume')),
  event(0, 1, text('ACPI DATA'), text('tables')),
  event(7, EFI + 1, variable(GLOBAL, 'SecureBoot', Uint8Array.of(1))),
  event(7, EFI + 1, variable(SECURITY, 'db', list(X509, KEY))),
  event(7, EFI + 1, variable(SECURITY, 'dbx', list(DIGEST, ...REVOKED))),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((pcr) => event(pcr, 4, le(0, 4))),
  event(7, EFI + 0xe0, variable(SECURITY, 'db', concat(hex(OWNER), KEY))),
  event(4, EFI + 3, concat(new Uint8Array(32)), text('loader')),
  event(14, 13, text('MokList\0'), text('keys')),
  event(14, 13, text('MokListTrusted\0'), Uint8Array.of(1)),
  event(8, 13, text('kernel_cmdline: vmlinuz quiet\0'), text('vmlinuz quiet')),
  event(9, 13, text('initrd\0'), text('initrd')),
]

const ALGORITHMS = [[SHA1, 20] as const, [SHA256, 32] as const]

const SHORT_STATE = {
  has_secureboot: true,
  scrtm_and_bios: [{ scrtm: hexed('version'), platform_firmware: [hexed('volume')] }],
  db: [key(KEY)],
  dbx: REVOKED.map(key),
  mokdig: [hexed('keys')],
  kernels: [
    {
      shim_authcode_sha256: hexed('loader').sha256,
      initrd_plain_sha256: hexed('initrd').sha256,
      kernel_cmdline: 'vmlinuz quiet',
    },
  ],
}

function hexed(measured: string): { readonly sha256: string } {
  return { sha256: `0x${Buffer.from(sha(text(measured))).toString('hex')}` }
}

function key(data: Uint8Array) {
  const SignatureOwner = '77fa9abd-0359-4d32-bd60-28f4e78f784b'
  return { SignatureOwner, SignatureData: `0x${Buffer.from(data).toString('hex')}` }
}

/** Reference states as documents, and as the code under test read them. */
export const STATES: readonly object[] = [SHORT_STATE, { has_secureboot: false }]
export const READ_STATES: readonly ReferenceState[] = STATES.map((state) =>
  parseReferenceState(JSON.stringify(state)),
)

/** What of the short boot no other may show: facts for the model. */
export const FACTS = {
  firmware: sha(text('volume')),
  version: sha(text('version')),
  loader: sha(text('loader')),
  moks: [sha(text('keys')), sha(Uint8Array.of(0)), sha(Uint8Array.of(1))],
  key: KEY,
  revoked: REVOKED,
  cmdline: sha(text('vmlinuz quiet')),
  initrd: sha(text('initrd')),
} as const

/** The quoted values that a log leaves behind. */
export function quotedOf(log: ModelLog): Readonly<Record<string, Uint8Array>> {
  const values = replayModel(log)
  return Object.fromEntries(
    BOOT_PCRS.map((pcr) => [String(pcr), values?.get(pcr) ?? new Uint8Array(32)]),
  )
}

function honest(of: number, log: Uint8Array, state: number, policy: string): BootRun {
  const read = readModelLog(log)
  if (!read) throw new Error('the model cannot read an honest log')
  return { of, log, quoted: quotedOf(read), state, policy }
}

const SHORT_LOG = writeModelLog({ algorithms: ALGORITHMS, events: SHORT })

/** Logs without a defect, beside what they replay to. */
export const HONEST_BOOTS: readonly BootRun[] = [
  honest(0, SHORT_LOG, 0, 'example'),
  honest(1, recorded('binary_bios_measurements'), 1, 'example'),
  honest(2, SHORT_LOG, 0, 'accept-all'),
]
