import { stretch } from '../soft/keys.ts'
import { digest } from '../tpm/hash.ts'
import { cat } from '../tpm/write.ts'
import { type P384Key, p384KeyOf } from './p384.ts'
import { type ProcessorMaker, processorMaker } from './processor-maker.ts'
import {
  type ReportMembers,
  type Versions,
  writeReportBody,
  writeSignature,
} from './write-report.ts'

/** The maker whose certificates `fixtures/makers/sev-snp.pem` holds. */
export const MAKER: ProcessorMaker = processorMaker('SEV-SNP of the simulator')

/** A guest's key and the nonce that it answers. */
export interface Guest {
  readonly nonce: Uint8Array
  /** Coordinates of its public key. */
  readonly x: Uint8Array
  readonly y: Uint8Array
}

/** How a report and its certificate are made; a fault replaces one of these. */
export interface SnpRecipe {
  readonly members: (usual: ReportMembers) => ReportMembers
  readonly reportData: (guest: Guest) => Uint8Array
  /** Bytes of the signed part before it is signed, and of the report afterwards. */
  readonly report: (report: Uint8Array) => Uint8Array
  readonly signedBy: P384Key
  readonly maker: ProcessorMaker
  readonly vcek: {
    readonly key?: P384Key
    /** The chip it names; null for none. */
    readonly chipId?: Uint8Array | null
    readonly tcb?: Versions
    readonly dates?: readonly [string, string]
  }
}

/** A report and the certificate of the key that signed it, DER. */
export interface SnpEvidence {
  readonly report: Uint8Array
  readonly vcek: Uint8Array
}

const CHIP_ID = stretch('CHIP_ID', 64)
const TCB: Versions = [4, 1, 22, 213]
const VCEK = p384KeyOf('VCEK')
/** SMT allowed, the bit that is always set, ABI 1.51. */
const POLICY = 0x30133n

/** A right report, but for REPORT_DATA. */
export const USUAL_REPORT: Omit<ReportMembers, 'reportData'> = {
  ...{ version: 3, policy: POLICY, platformInfo: 1n, signatureAlgo: 1, keyInfo: 0 },
  measurement: stretch('MEASUREMENT', 48),
  hostData: stretch('HOST_DATA', 32),
  ...{ reportedTcb: TCB, chipId: CHIP_ID },
}

const USUAL: SnpRecipe = {
  members: (usual) => usual,
  reportData: ({ nonce, x, y }) => digest('sha512', cat(x, y, nonce)),
  report: (report) => report,
  signedBy: VCEK,
  maker: MAKER,
  vcek: {},
}

/** Evidence of a guest, by the usual recipe with some of its parts replaced. */
export function makeSnpEvidence(guest: Guest, fault: Partial<SnpRecipe> = {}): SnpEvidence {
  const { members, reportData, report, signedBy, maker, vcek } = { ...USUAL, ...fault }
  const body = writeReportBody(members({ ...USUAL_REPORT, reportData: reportData(guest) }))
  const { key = VCEK, chipId = CHIP_ID, tcb = TCB, ...rest } = vcek
  return {
    report: report(cat(body, writeSignature(signedBy.sign(body)))),
    vcek: maker.certify({ spki: key.spki, chipId, tcb, ...rest }),
  }
}
