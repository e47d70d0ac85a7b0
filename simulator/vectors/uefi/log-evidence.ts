import type { UefiFault } from '../../faults/uefi/uefi-fault.ts'
import { eccAttester } from '../../machine/soft-attester.ts'
import { eventsOf } from '../../platform/scripted-boot.ts'
import { bootPolicyOf } from '../../uefi/boot-policy-of.ts'
import type { UefiEvent } from '../../uefi/log.ts'
import { type LogForm, writeLogOf } from '../../uefi/log-form.ts'
import { SHIM_GRUB } from '../../uefi/profiles/loaders.ts'
import { replayEvents } from '../../uefi/replay-log.ts'
import type { Evidence, Json, JsonObject, Variant } from '../form.ts'
import { base64, softQuote } from '../quote/soft-quote.ts'
import { shortened } from '../variant.ts'

/** PCRs that firmware and boot loaders extend; 10 is IMA's, 16 the debug register. */
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
const FORM: LogForm = { form: 'crypto-agile', banks: ['sha1', 'sha256'] }
const attester = eccAttester('adversarial')

/** The events of most variants: Secure Boot, shim, grub and a kernel. */
export const EVENTS: readonly UefiEvent[] = eventsOf(SHIM_GRUB)

/** Returns a quote over the PCRs after these events, of a TPM that was started from this locality. */
function quoteOver(events: readonly UefiEvent[], locality = 0): JsonObject {
  const values = replayEvents(events, 'sha256', BOOT_PCRS, locality)
  const { quote = null } = softQuote(attester, [{ bank: 'sha256', values }]).evidence
  return { quote }
}

/** Returns a log in base64, its long runs in short form. */
function bootLog(bytes: Uint8Array): JsonObject {
  return { boot_log: shortened(base64(bytes)) as Json }
}

/** Returns quote and log of a machine that measured these events and logs them correctly. */
export function logMeasured(events: readonly UefiEvent[], form = FORM, locality = 0): JsonObject {
  return { ...quoteOver(events, locality), ...bootLog(writeLogOf(form, events)) }
}

/** Returns evidence of a machine that measured these events, with the policy that accepts only these. */
export function logEvidence(events: readonly UefiEvent[], form = FORM, locality = 0): Evidence {
  const { tpm_policy: _, ...members } = softQuote(attester, []).evidence
  const boot_policy = bootPolicyOf(events) as unknown as JsonObject
  return { ...members, ...logMeasured(events, form, locality), boot_policy }
}

const SOUND_LOG = writeLogOf(FORM, EVENTS)

function changeOf({ firmware, mutations }: UefiFault): JsonObject {
  return firmware === undefined
    ? bootLog((mutations.uefi ?? ((bytes) => bytes))(SOUND_LOG))
    : logMeasured(firmware(EVENTS))
}

const ENDS = {
  refused: 'broken_evidence_chain',
  policy: 'policy_violation',
  accepted: 'pass',
  either: 'either',
} as const

/** Returns the variant for a fault of a machine, based on the baseline `boot`. */
export function variantOfFault(
  section: string,
  fault: UefiFault,
  fails: Variant['outcome'],
): Variant {
  const { name, what, cases, outcome } = fault
  const [number = 0] = cases
  return {
    case: number,
    id: `${section}-${number}-${name.replace(/^uefi-/, '')}`,
    what: what.charAt(0).toUpperCase() + what.slice(1),
    of: 'boot',
    change: changeOf(fault),
    outcome: outcome === 'fails' ? fails : ENDS[outcome],
  }
}
