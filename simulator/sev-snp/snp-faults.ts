import { p256Spki, pointOf } from '../soft/ecdsa.ts'
import { stretch } from '../soft/keys.ts'
import { digest } from '../tpm/hash.ts'
import { cat, filled } from '../tpm/write.ts'
import { p384KeyOf } from './p384.ts'
import { processorMaker } from './processor-maker.ts'
import { type SnpRecipe, USUAL_REPORT } from './snp-evidence.ts'
import type { ReportMembers, Versions } from './write-report.ts'

/** One thing that is wrong with a report or with its certificate. */
export interface SnpFault {
  readonly name: string
  readonly kind: 'form' | 'signature' | 'freshness' | 'certificate'
  /** Completes the sentence "a report …". */
  readonly what: string
  readonly recipe: Partial<SnpRecipe>
}

/** Offsets in an ATTESTATION_REPORT (AMD 56860, "ATTESTATION_REPORT Structure"). */
const OFFSET = { MEASUREMENT: 0x90, R: 0x2a0, S: 0x2e8, AFTER_S: 0x330 } as const
const SCALAR = 48
const NUMBER = 72
const MASK_CHIP_KEY = 0b10
const SIGNED_BY_VLEK = 0b100
const DEBUG = 1n << 19n

const STRANGER = p384KeyOf('a key of no processor')
const OTHER_TCB: readonly (readonly [part: string, tcb: Versions])[] = [
  ['bootloader', [3, 1, 22, 213]],
  ['tee', [4, 2, 22, 213]],
  ['snp', [4, 1, 21, 213]],
  ['microcode', [4, 1, 22, 212]],
]

/** The report with other bytes from an offset on; its signature stays. */
function changed(at: number, change: (byte: number) => number, count = 1) {
  return (report: Uint8Array): Uint8Array =>
    report.map((byte, index) => (index >= at && index < at + count ? change(byte) : byte))
}

function withMembers(members: Partial<ReportMembers>): Partial<SnpRecipe> {
  return { members: (usual) => ({ ...usual, ...members }) }
}

/** R and S with their most significant byte first, as other signatures have them. */
function bigEndian(report: Uint8Array): Uint8Array {
  const number = (at: number) => report.slice(at, at + NUMBER).reverse()
  return cat(
    report.slice(0, OFFSET.R),
    number(OFFSET.R),
    number(OFFSET.S),
    report.slice(OFFSET.AFTER_S),
  )
}

const { chipId: CHIP_ID } = USUAL_REPORT
const flip = (byte: number): number => byte ^ 1

type Fault = Omit<SnpFault, 'kind'>

const FORM: readonly Fault[] = [
  { name: 'cut', what: 'lacks its last byte', recipe: { report: (bytes) => bytes.slice(0, -1) } },
  {
    name: 'continued',
    what: 'has one more byte',
    recipe: { report: (bytes) => cat(bytes, filled(1)) },
  },
  { name: 'unknown-version', what: 'has an unknown version', recipe: withMembers({ version: 99 }) },
  { name: 'version-zero', what: 'has the version 0', recipe: withMembers({ version: 0 }) },
  {
    name: 'unknown-algorithm',
    what: 'names an unknown signature algorithm',
    recipe: withMembers({ signatureAlgo: 2 }),
  },
  {
    name: 'by-vlek',
    what: 'names another signing key than the VCEK',
    recipe: withMembers({ keyInfo: SIGNED_BY_VLEK }),
  },
  {
    name: 'key-masked',
    what: 'says that it is not signed',
    recipe: withMembers({ keyInfo: MASK_CHIP_KEY }),
  },
]

const SIGNATURE: readonly Fault[] = [
  {
    name: 'measurement-altered',
    what: 'has another measurement than the signed one',
    recipe: { report: changed(OFFSET.MEASUREMENT, flip) },
  },
  {
    name: 'r-flipped',
    what: 'has a flipped bit in R',
    recipe: { report: changed(OFFSET.R, flip) },
  },
  {
    name: 's-flipped',
    what: 'has a flipped bit in S',
    recipe: { report: changed(OFFSET.S, flip) },
  },
  {
    name: 'signature-zero',
    what: 'has a signature of zeros',
    recipe: { report: changed(OFFSET.R, () => 0, 2 * NUMBER) },
  },
  {
    name: 'signature-big-endian',
    what: 'has a signature with its bytes reversed',
    recipe: { report: bigEndian },
  },
  {
    name: 'r-too-large',
    what: 'has bits above the size of the curve in R',
    recipe: { report: changed(OFFSET.R + SCALAR, flip) },
  },
  { name: 'other-key', what: 'is signed by another key', recipe: { signedBy: STRANGER } },
]

const FRESHNESS: readonly Fault[] = [
  {
    name: 'other-nonce',
    what: 'answers another nonce',
    recipe: { reportData: ({ x, y }) => digest('sha512', cat(x, y, stretch('another', 32))) },
  },
  {
    name: 'other-public-key',
    what: 'is of a guest with another public key',
    recipe: { reportData: ({ nonce }) => digest('sha512', cat(STRANGER.x, STRANGER.y, nonce)) },
  },
  {
    name: 'without-public-key',
    what: 'is over the nonce alone',
    recipe: { reportData: ({ nonce }) => digest('sha512', nonce) },
  },
  {
    name: 'report-data-half',
    what: 'has the right first half of REPORT_DATA only',
    recipe: {
      reportData: ({ nonce, x, y }) =>
        cat(digest('sha512', cat(x, y, nonce)).slice(0, 32), filled(32)),
    },
  },
]

const CERTIFICATE: readonly Fault[] = [
  {
    name: 'other-maker',
    what: 'is certified by a maker that is not trusted',
    recipe: { maker: processorMaker('another maker', 'Other') },
  },
  {
    name: 'namesake-maker',
    what: 'is certified by a maker with the names of the trusted one',
    recipe: { maker: processorMaker('a namesake') },
  },
  {
    name: 'expired',
    what: 'is certified by an expired certificate',
    recipe: { vcek: { dates: ['200101000000Z', '210101000000Z'] } },
  },
  {
    name: 'not-yet-valid',
    what: 'is certified by a certificate of the future',
    recipe: { vcek: { dates: ['480101000000Z', '491231235959Z'] } },
  },
  {
    name: 'other-chip',
    what: 'is certified for another chip',
    recipe: { vcek: { chipId: stretch('another CHIP_ID', 64) } },
  },
  {
    name: 'chip-begun',
    what: 'is certified for a chip whose name begins like that of its own',
    recipe: { vcek: { chipId: CHIP_ID.slice(0, 8) } },
  },
  {
    name: 'no-chip',
    what: 'is certified for no chip',
    recipe: { vcek: { chipId: filled(0) } },
  },
  {
    name: 'chip-absent',
    what: 'is certified by a certificate that does not name a chip',
    recipe: { vcek: { chipId: null } },
  },
  {
    name: 'no-chip-of-zeros',
    what: 'hides its chip and is certified for no chip',
    recipe: { ...withMembers({ chipId: filled(64) }), vcek: { chipId: filled(0) } },
  },
  {
    name: 'other-curve',
    what: 'is certified for a key on P-256',
    recipe: { vcek: { key: { ...STRANGER, spki: p256Spki(pointOf(1n)) } } },
  },
  ...OTHER_TCB.map(([part, tcb]) => ({
    name: `other-${part}`,
    what: `is certified for another version of its ${part}`,
    recipe: { vcek: { tcb } },
  })),
]

/** Reports that no verifier may accept. */
export const SNP_FAULTS: readonly SnpFault[] = [
  ...FORM.map((fault) => ({ ...fault, kind: 'form' }) as const),
  ...SIGNATURE.map((fault) => ({ ...fault, kind: 'signature' }) as const),
  ...FRESHNESS.map((fault) => ({ ...fault, kind: 'freshness' }) as const),
  ...CERTIFICATE.map((fault) => ({ ...fault, kind: 'certificate' }) as const),
]

/** A single socket without SMT, the bit that is always set, ABI 1.52; TSME without SMT. */
const OTHER_SETTINGS = { policy: 0x120134n, platformInfo: 2n }

/** Versions at the ends of what one byte of a number in DER holds. */
const BOUNDARY_TCB: Versions = [127, 128, 0, 255]

/** A right report of the version before the usual one, of a guest and a platform with other settings and versions. */
export const OLDER_VERSION: Partial<SnpRecipe> = {
  ...withMembers({ version: 2, reportedTcb: BOUNDARY_TCB, ...OTHER_SETTINGS }),
  vcek: { tcb: BOUNDARY_TCB },
}

/** A right report of a guest whose memory its host may read and change. */
export const DEBUGGED: Partial<SnpRecipe> = {
  members: (usual) => ({ ...usual, policy: usual.policy | DEBUG }),
}
