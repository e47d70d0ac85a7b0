import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { eccAttester } from '../../../../simulator/machine/soft-attester.ts'
import { bootAggregate } from '../../../../simulator/platform/scripted-boot.ts'
import { filled, toHex } from '../../../../simulator/tpm/write.ts'
import { replayEvents } from '../../../../simulator/uefi/replay-log.ts'
import { IMA_PCR, measuredPcr, ran } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { softQuote } from '../../../../simulator/vectors/quote/soft-quote.ts'
import { EVENTS } from '../../../../simulator/vectors/uefi/log-evidence.ts'
import { BOOT_PCRS, booted } from './boot/evidence.ts'
import { FILES, file, measured } from './list-evidence.ts'
import type { Members, NearMiss, NearMissGroup } from './near-miss.ts'

const attester = eccAttester('near misses')
const STATIC_PCR = 7

interface Parts {
  readonly files?: readonly ImaEntry[]
  /** Those that the runtime policy lists. */
  readonly listed?: readonly ImaEntry[]
  /** Evidence whose boot policy or log counts. */
  readonly boot?: Members
  /** Whether the static policy lists another value. */
  readonly otherValue?: boolean
  /** Members to leave out. */
  readonly without?: readonly string[]
}

/** Returns evidence that a static, a runtime and a measured boot policy apply to. */
function together({
  files = FILES,
  listed = FILES,
  boot = booted(),
  otherValue,
  without = [],
}: Parts = {}): Members {
  const values = new Map(replayEvents(EVENTS, 'sha256', BOOT_PCRS)).set(IMA_PCR, measuredPcr(files))
  const ascending = new Map([...values].toSorted(([one], [other]) => one - other))
  const { evidence } = softQuote(attester, [{ bank: 'sha256', values: ascending }])
  const value = otherValue ? filled(32, 7) : (values.get(STATIC_PCR) ?? filled(32))
  const members: Members = {
    ...boot,
    ...measured(files, { listed }),
    ...evidence,
    tpm_policy: { [STATIC_PCR]: [toHex(value)] },
  }
  return Object.fromEntries(Object.entries(members).filter(([name]) => !without.includes(name)))
}

const BOOT = ['boot_log', 'boot_policy']
const LIST = ['ima', 'runtime_policy']
const UNLISTED = [...FILES, ran('/usr/bin/unlisted')]
const otherState = () =>
  booted({ policy: (policy) => ({ ...policy, mokdig: [{ sha256: `0x${'5a'.repeat(32)}` }] }) })

/** The list of a machine whose kernel measured what its own firmware log leads to. */
const OF_LOG = [file('boot_aggregate', bootAggregate(EVENTS)), ...FILES.slice(1)]

const row = (sends: string, breaks: string, parts: () => Parts): NearMiss => ({
  sends,
  breaks,
  evidence: () => together(parts()),
})

const [PCRS, FILE, STATE] = [
  'VER-EVIDENCE-PCR-POLICY',
  'VER-EVIDENCE-RUNTIME-JUDGES',
  'VER-EVIDENCE-BOOT-JUDGES',
]

export const POLICIES_TOGETHER: NearMissGroup = {
  id: 'policies-together',
  title: 'The verifier applies a static, a runtime and a measured boot policy at the same time',
  needs: ['uefi_log', 'measured_boot'],
  rows: [
    { sends: 'evidence that meets three policies', evidence: () => together() },
    row('an unlisted PCR value under three policies', PCRS, () => ({ otherValue: true })),
    row('an unlisted PCR value with a list', PCRS, () => ({ otherValue: true, without: BOOT })),
    row('an unlisted PCR value with a boot log', PCRS, () => ({ otherValue: true, without: LIST })),
    row('an unlisted file under three policies', FILE, () => ({ files: UNLISTED })),
    row('an unlisted file with the digest of the boot_aggregate of the log', FILE, () => ({
      files: [...FILES, file('/usr/bin/unlisted', bootAggregate(EVENTS))],
    })),
    row('an unlisted file with a static policy', FILE, () => ({ files: UNLISTED, without: BOOT })),
    row('another boot under three policies', STATE, () => ({ boot: otherState() })),
    row('another boot with a static policy', STATE, () => ({ boot: otherState(), without: LIST })),
    {
      sends: 'a listed boot_aggregate with a boot log that no policy judges',
      evidence: () => together({ files: OF_LOG, listed: OF_LOG, without: ['boot_policy'] }),
    },
    { sends: 'evidence that meets three policies again', evidence: () => together() },
  ],
}
