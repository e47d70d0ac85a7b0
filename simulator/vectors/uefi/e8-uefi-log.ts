import { UEFI_FAULTS } from '../../faults/uefi/known-uefi-faults.ts'
import { eventsOf } from '../../platform/scripted-boot.ts'
import { text, u32le } from '../../tpm/write.ts'
import { startupLocality } from '../../uefi/event-data.ts'
import type { UefiEvent } from '../../uefi/log.ts'
import { eventOf, measures } from '../../uefi/measured-event.ts'
import { SYSTEMD_BOOT } from '../../uefi/profiles/loaders.ts'
import { OVMF } from '../../uefi/profiles/ovmf.ts'
import { ALL_BANKS } from '../../uefi/profiles/profile.ts'
import type { Section, Variant } from '../form.ts'
import { EVENTS, logEvidence, logMeasured, variantOfFault } from './log-evidence.ts'

const FIRST_OF_SECTION = 82
const LAST_OF_SECTION = 101

/** The events of a TPM that was started from another locality and logs it. */
function startedFrom(locality: number): readonly UefiEvent[] {
  return [eventOf(measures(0, 'NO_ACTION', startupLocality(locality)), ALL_BANKS), ...EVENTS]
}

/** Events that begin with those of a hardware root of trust, without a locality. */
function hardwareRooted(data: Uint8Array): readonly UefiEvent[] {
  return [eventOf(measures(0, 'EFI_HCRTM_EVENT', data), ALL_BANKS), ...EVENTS]
}

/** Cases 93 and 94 with the PCR 0 that the log states, which requires a TPM that was started so. */
const STARTS: readonly Variant[] = [
  ...[3, 4].map((locality) => ({
    ...{ case: 93, id: `e8-93-started-from-${locality}`, of: 'boot' },
    what: `The TPM was started from locality ${locality}, and the log says so`,
    change: logMeasured(startedFrom(locality), undefined, locality),
    outcome: 'pass' as const,
  })),
  ...(
    [
      ['root', text('HCRTM')],
      ['root-of-4', u32le(0)],
    ] as const
  ).map(([slug, data]) => ({
    ...{ case: 94, id: `e8-94-hardware-${slug}`, of: 'boot' },
    what: `A hardware root of trust measured first, in an event of ${data.length} bytes`,
    change: logMeasured(hardwareRooted(data), undefined, 4),
    outcome: 'either' as const,
  })),
]

/** Faults that a verifier may find in the bytes, or in PCRs that do not replay. */
const BROKEN: ReadonlySet<string> = new Set([
  ...['uefi-header-alone', 'uefi-no-digests'],
  ...['event02', 'event00', 'without-end'].map((ending) => `uefi-signature-${ending}`),
])

/** Section E.8: defects of a firmware log. */
export function logSection(): Section {
  const faults = UEFI_FAULTS.filter(
    ({ cases: [number = 0], huge }) =>
      number >= FIRST_OF_SECTION && number <= LAST_OF_SECTION && !huge,
  )
  return {
    section: 'E.8',
    baselines: {
      boot: logEvidence(EVENTS),
      'without-secure-boot': logEvidence(eventsOf(OVMF)),
      'unified-kernel': logEvidence(eventsOf(SYSTEMD_BOOT)),
    },
    variants: [
      ...faults.map((fault) => {
        const fails = BROKEN.has(fault.name) ? 'broken_evidence_chain' : 'policy_violation'
        return variantOfFault('e8', fault, fails)
      }),
      ...STARTS,
    ].toSorted((one, other) => one.case - other.case),
  }
}
