import { createHash } from 'node:crypto'
import { toHex } from '../../bytes/hex.ts'
import { concat, Writer } from '../../bytes/writer.ts'
import type { EvidenceCase } from '../evaluate.ts'
import { writePcrBlob } from '../quote/pcr-blob.ts'
import type { QuoteClock } from '../quote/quote-case.ts'
import { makeStubAttester, quoted, type StubAttester, stubCase } from './stub-attester.ts'

/** A machine of a key, a list of files and two banks, without any TPM. */
interface StubMachine {
  /** the names of its files, in the order in which they were measured */
  readonly files: readonly string[]
  readonly attester: StubAttester
}

/** One attestation cycle of a {@link SoftMachine}. */
interface StubCycle {
  readonly bank: 'sha1' | 'sha256'
  /** files the verifier saw in earlier cycles, and in this one at the end */
  readonly from: number
  readonly until: number
  readonly clock: bigint
  readonly previousClock?: QuoteClock
}

export function makeStubMachine(files: readonly string[]): StubMachine {
  return { files, attester: makeStubAttester() }
}

/** Template data of an ima-ng entry whose file holds its own name. */
function dataOf(name: string): Uint8Array {
  const digest = createHash('sha256').update(name).digest()
  return concat(prefixed('sha256:\0', digest), prefixed(`${name}\0`))
}

function prefixed(text: string, more: Uint8Array = new Uint8Array()): Uint8Array {
  const field = concat(new TextEncoder().encode(text), more)
  const size = new Writer('little')
  size.u32(field.length)
  return concat(size.finish(), field)
}

function lineOf(name: string): string {
  const template = createHash('sha1').update(dataOf(name)).digest('hex')
  return `10 ${template} ima-ng sha256:${createHash('sha256').update(name).digest('hex')} ${name}\n`
}

/** PCR 10 after these files. */
function pcr10(bank: StubCycle['bank'], files: readonly string[]): Uint8Array {
  const hash = (...parts: readonly Uint8Array[]) =>
    new Uint8Array(
      createHash(bank)
        .update(concat(...parts))
        .digest(),
    )
  const reset = new Uint8Array(bank === 'sha1' ? 20 : 32)
  return files.reduce((value, name) => hash(value, hash(dataOf(name))), reset)
}

/** The honest evidence of one cycle, and the expectations of a verifier that saw the earlier ones. */
export function stubCycle({ files, attester }: StubMachine, cycle: StubCycle): EvidenceCase {
  const { bank, from, until, clock, previousClock } = cycle
  const claimed = [{ bank, values: new Map([[10, pcr10(bank, files.slice(0, until))]]) }]
  const clockInfo = { clock, resetCount: 5, restartCount: 1, safe: true }
  const lines = files.slice(from, until).map(lineOf).join('')
  const requestedPcrs = { bank, pcrs: [10] }
  return stubCase(attester, {
    requestedPcrs,
    quote: {
      ...attester.attest({ attested: quoted(claimed), clockInfo }),
      claimed: { form: 'blob', bytes: writePcrBlob(claimed) },
    },
    ima: {
      format: 'ascii',
      bytes: new TextEncoder().encode(lines),
      startingOffset: from,
      carried: { [bank]: toHex(pcr10(bank, files.slice(0, from))) },
    },
    ...(previousClock && { previousClock }),
  })
}
