import { type AttestationReport, littleEndian } from './report.ts'

/** Security versions of the firmware, part by part. */
export type Tcb = ReadonlyMap<TcbPart, number>
export type TcbPart = 'bootloader' | 'tee' | 'snp' | 'microcode' | 'fmc'

/** Byte of each part in a TCB_VERSION (AMD 56860, "TCB Version"); the other bytes are reserved. */
const LAYOUT = new Map<TcbPart, number>([
  ['bootloader', 0],
  ['tee', 1],
  ['snp', 6],
  ['microcode', 7],
])
/** The same of processors of family 1Ah. */
const LAYOUT_1A = new Map<TcbPart, number>([
  ['fmc', 0],
  ['bootloader', 1],
  ['tee', 2],
  ['snp', 3],
  ['microcode', 7],
])
const FAMILY_1A = 0x1an
const BYTES = 8

/** REPORTED_TCB, for which the signing key was derived; undefined if a reserved byte is set. */
export function reportedTcb({ REPORTED_TCB, CPUID_FAM_ID }: AttestationReport): Tcb | undefined {
  const layout = littleEndian(CPUID_FAM_ID) === FAMILY_1A ? LAYOUT_1A : LAYOUT
  const places = new Set(layout.values())
  const reserved = Array.from({ length: BYTES }, (_, at) => at).filter((at) => !places.has(at))
  if (reserved.some((at) => REPORTED_TCB[at] !== 0)) return undefined
  return new Map([...layout].map(([part, at]) => [part, REPORTED_TCB[at] ?? 0]))
}
