import fc from 'fast-check'
import { BOOT_PCRS } from '../uefi/boot-pcrs.ts'
import type { EventTypeName } from '../uefi/log/event-types.ts'
import type { WrittenEvent } from './written-log.ts'

/** Types whose data may be anything; one of firmware in memory is not among them. */
const TYPES: readonly EventTypeName[] = [
  ...(['EV_POST_CODE', 'EV_EVENT_TAG', 'EV_S_CRTM_VERSION', 'EV_CPU_MICROCODE'] as const),
  ...(['EV_PLATFORM_CONFIG_FLAGS', 'EV_TABLE_OF_DEVICES', 'EV_COMPACT_HASH', 'EV_IPL'] as const),
  ...(['EV_NONHOST_CODE', 'EV_NONHOST_INFO', 'EV_ACTION', 'EV_EFI_ACTION'] as const),
]

const bytes = fc.uint8Array({ maxLength: 40 })

/** Something measured, whose digest is of its data or of something else. */
export const measurements: fc.Arbitrary<WrittenEvent> = fc.record(
  {
    pcr: fc.constantFrom(...BOOT_PCRS),
    type: fc.constantFrom(...TYPES),
    data: bytes,
    measured: bytes,
  },
  { requiredKeys: ['pcr', 'type', 'data'] },
)

/** An event that is logged and not measured, other than a startup locality. */
const notes: fc.Arbitrary<WrittenEvent> = fc.record({
  pcr: fc.constantFrom(...BOOT_PCRS),
  type: fc.constant('EV_NO_ACTION' as const),
  data: bytes,
})

/** What any machine may have measured and noted while it booted. */
export const generatedBoots: fc.Arbitrary<readonly WrittenEvent[]> = fc.array(
  fc.oneof({ weight: 9, arbitrary: measurements }, { weight: 1, arbitrary: notes }),
  { minLength: 1, maxLength: 60 },
)
