import { runtimePolicyOf } from '../../simulator/boot-facts.ts'
import { imaSigEntry } from '../../simulator/ima/make-entry.ts'
import { eccAttester } from '../../simulator/soft-attester.ts'
import { digest } from '../../simulator/tpm/hash.ts'
import { cat, filled, text } from '../../simulator/tpm/write.ts'
import type { Story } from './stages.ts'

const FILES = 8

/** What a kernel lists first: the digest over PCR 0 to 9, here those of a machine whose firmware measured nothing. */
function bootAggregate() {
  return imaSigEntry('boot_aggregate', digest('sha256', filled(10 * 32)))
}

/** Files that follow from their number, so that every run measures the same. */
function toolEntry(_: unknown, at: number) {
  return imaSigEntry(`/usr/bin/tool-${at + 1}`, digest('sha256', text(`tool ${at + 1}`)))
}

/** Evidence that everybody must find valid: a quote of PCR 10, a list of nine entries, and the policy that fits it. */
export function goldenStory(): Story {
  const signer = eccAttester('golden')
  const measured = [bootAggregate(), ...Array.from({ length: FILES }, toolEntry)]
  return {
    ...{ nonce: 'Zm9yIGFzc2F5IG9ubHkx'.slice(0, 20), signer, shown: signer.area, measured },
    pcrs: new Map([[7, digest('sha256', cat(text('secure boot'), filled(1)))]]),
    clock: { clock: 40_000n, resetCount: 3, restartCount: 0, safe: 1 },
    policy: runtimePolicyOf(measured),
    tpmPolicy: {},
  }
}
