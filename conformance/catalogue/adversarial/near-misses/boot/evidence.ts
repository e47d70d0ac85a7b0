import { eccAttester } from '../../../../../simulator/machine/soft-attester.ts'
import { remeasured } from '../../../../../simulator/platform/edit-events.ts'
import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { cat, filled } from '../../../../../simulator/tpm/write.ts'
import { type BootPolicy, bootPolicyOf } from '../../../../../simulator/uefi/boot-policy-of.ts'
import { signatureList, variableData } from '../../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import type { UefiEvent } from '../../../../../simulator/uefi/log.ts'
import { writeLogOf } from '../../../../../simulator/uefi/log-form.ts'
import { OWNER } from '../../../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { readVariable } from '../../../../../simulator/uefi/read-data.ts'
import { replayEvents } from '../../../../../simulator/uefi/replay-log.ts'
import type { BankValues } from '../../../../../simulator/vectors/quote/attest-overrides.ts'
import { base64, softQuote } from '../../../../../simulator/vectors/quote/soft-quote.ts'
import { EVENTS } from '../../../../../simulator/vectors/uefi/log-evidence.ts'
import type { Members } from '../near-miss.ts'

const attester = eccAttester('near misses')
/** The format of the log. */
export const FORM = { form: 'crypto-agile', banks: ['sha1', 'sha256'] } as const
/** PCRs that no TPM of a PC has, so that no replay finds them. */
export const FOREIGN = [24, 256, 0x10000, 0xffffffff]
export const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/** What differs from a machine that boots as its policy says and logs it. */
interface BootOptions {
  /** What the firmware measures and logs. */
  readonly events?: EditEvents
  readonly policy?: (policy: BootPolicy) => BootPolicy
  /** The log as it is sent. */
  readonly log?: (log: Uint8Array) => Uint8Array
  /** The PCRs as they are quoted. */
  readonly quoted?: (values: ReadonlyMap<number, Uint8Array>) => ReadonlyMap<number, Uint8Array>
  /** Values of a further bank that is quoted too. */
  readonly further?: BankValues
}

const same = <T>(value: T): T => value

/** Returns evidence of a machine with Secure Boot, shim, grub and a kernel. */
export function booted({
  events = same,
  policy = same,
  log = same,
  quoted = same,
  further,
}: BootOptions = {}): Members {
  const measured = events(EVENTS)
  const values = quoted(replayEvents(measured, 'sha256', BOOT_PCRS))
  const banks = [{ bank: 'sha256' as const, values }, ...(further ? [further] : [])]
  const { tpm_policy: _, ...evidence } = softQuote(attester, banks).evidence
  return {
    ...evidence,
    boot_log: base64(log(writeLogOf(FORM, measured))),
    boot_policy: policy(bootPolicyOf(EVENTS)),
  }
}

/** Matches the events of a variable. */
export function ofVariable(name: string, type: number): (event: UefiEvent) => boolean {
  return (event) => event.pcr === 7 && event.type === type && readVariable(event.data).name === name
}

/** Returns the event with another content of its variable, or under another name or vendor. */
export function variableAs(
  event: UefiEvent,
  change: { readonly guid?: string; readonly name?: string; readonly data?: Uint8Array },
): UefiEvent {
  const { guid, name, data } = readVariable(event.data)
  return remeasured(event, variableData({ guid, name, data, ...change }))
}

/** Returns the event with an alteration of each of its digests. */
export function digestsAltered(
  event: UefiEvent,
  alter: (digest: Uint8Array) => Uint8Array,
): UefiEvent {
  const digests = [...event.digests].map(([alg, value]) => [alg, alter(value)] as const)
  return { ...event, digests: new Map(digests) }
}

/** Replaces every matching event by others. */
export function replaced(
  find: (event: UefiEvent) => boolean,
  others: (event: UefiEvent) => readonly UefiEvent[],
): EditEvents {
  return (events) => events.flatMap((event) => (find(event) ? others(event) : [event]))
}

export const config = (name: string) => ofVariable(name, EV.EFI_VARIABLE_DRIVER_CONFIG)
export const authority = ofVariable('db', EV.EFI_VARIABLE_AUTHORITY)

/** A signature that no policy names. */
export const STRANGER = filled(64, 0x30)
export const strange = { owner: OWNER, data: STRANGER }

/** Each signature in a list of its own. */
export function listsOf(
  signatures: readonly { readonly owner: string; readonly data: Uint8Array }[],
  type: string,
): Uint8Array {
  return cat(
    ...signatures.map(({ owner, data }) => signatureList({ type, owner, signatures: [data] })),
  )
}
