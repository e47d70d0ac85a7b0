import type { KeyObject } from 'node:crypto'
import { DER } from '../../bytes/der.ts'
import type { Certificate } from '../ek-certificate/parse-certificate.ts'
import { subjectPublicKey } from '../ek-certificate/subject-key.ts'
import type { Tcb, TcbPart } from './tcb.ts'

/** What a VCEK certificate says of its key (AMD 57230, "VCEK Certificate"). */
export interface Vcek {
  /** Undefined if it is no key on P-384. */
  readonly key: KeyObject | undefined
  /** hwID: CHIP_ID, or its beginning where the processor has a shorter one; undefined if absent. */
  readonly chipId: Uint8Array | undefined
  /** Security versions that the key was derived for. */
  readonly tcb: Tcb
}

const AMD = '1.3.6.1.4.1.3704.1'
const HWID = `${AMD}.4`
const SECURITY_VERSIONS = new Map<TcbPart, string>([
  ['bootloader', `${AMD}.3.1`],
  ['tee', `${AMD}.3.2`],
  ['snp', `${AMD}.3.3`],
  ['microcode', `${AMD}.3.8`],
  ['fmc', `${AMD}.3.9`],
])

/** Reads the key and AMD's extensions of a certificate; a security version that is no number counts as absent. */
export function readVcek(certificate: Certificate): Vcek {
  const tcb = new Map<TcbPart, number>()
  for (const [part, id] of SECURITY_VERSIONS) {
    const version = numberIn(certificate.extensions.get(id))
    if (version !== undefined) tcb.set(part, version)
  }
  return { key: keyOnP384(certificate), chipId: certificate.extensions.get(HWID), tcb }
}

/** An INTEGER from 0 to 255. */
function numberIn(bytes: Uint8Array = new Uint8Array()): number | undefined {
  const [tag, length, ...contents] = bytes
  if (tag !== DER.INTEGER || length !== contents.length) return undefined
  const [first = 0x80, second] = contents
  if (contents.length === 1 && first < 0x80) return first
  return contents.length === 2 && first === 0 && second !== undefined && second >= 0x80
    ? second
    : undefined
}

function keyOnP384({ key }: Certificate): KeyObject | undefined {
  try {
    const loaded = subjectPublicKey(key)
    return loaded.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? loaded : undefined
  } catch {
    return undefined
  }
}
