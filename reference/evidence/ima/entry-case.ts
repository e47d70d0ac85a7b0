import { type ImaEntry, type ImaItem, isViolation } from './list/entry.ts'
import type { ImaContent } from './list/fields.ts'
import type { RuntimePolicy } from './policy/runtime-policy.ts'
import type { TrustedSigners } from './policy/trusted-signers.ts'

/** Name of the first entry of every boot: the kernel's digest of the PCRs of the firmware. */
export const BOOT_AGGREGATE = 'boot_aggregate'

/** One item of a measurement list and what the entry checks compare it with. */
export interface ImaEntryCase {
  readonly item: ImaItem
  readonly policy: RuntimePolicy | undefined
  readonly ignoreTomtouErrors: boolean
  /** `boot_aggregate` digests that follow from the verified PCRs, in lower-case hex */
  readonly bootAggregates: ReadonlySet<string>
  /** keys that may sign files, including those learned from earlier entries */
  readonly signers: TrustedSigners
}

/** An entry whose template fields could be decoded. */
export interface ReadEntry extends ImaEntry {
  readonly content: ImaContent
}

/** Whether the item describes a measurement; a violation does not. */
export function isReadEntry(item: ImaItem): item is ReadEntry {
  return item.kind === 'entry' && !('invalid' in item.content) && !isViolation(item)
}
