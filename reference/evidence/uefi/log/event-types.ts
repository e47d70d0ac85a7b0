import { table } from '../../../bytes/table.ts'

/** Event types that this implementation has a name for (PFP table 27). */
export const eventTypes = table({
  EV_PREBOOT_CERT: 0x00000000,
  EV_POST_CODE: 0x00000001,
  EV_NO_ACTION: 0x00000003,
  EV_SEPARATOR: 0x00000004,
  EV_ACTION: 0x00000005,
  EV_EVENT_TAG: 0x00000006,
  EV_S_CRTM_CONTENTS: 0x00000007,
  EV_S_CRTM_VERSION: 0x00000008,
  EV_CPU_MICROCODE: 0x00000009,
  EV_PLATFORM_CONFIG_FLAGS: 0x0000000a,
  EV_TABLE_OF_DEVICES: 0x0000000b,
  EV_COMPACT_HASH: 0x0000000c,
  EV_IPL: 0x0000000d,
  EV_IPL_PARTITION_DATA: 0x0000000e,
  EV_NONHOST_CODE: 0x0000000f,
  EV_NONHOST_CONFIG: 0x00000010,
  EV_NONHOST_INFO: 0x00000011,
  EV_OMIT_BOOT_DEVICE_EVENTS: 0x00000012,
  EV_POST_CODE2: 0x00000013,
  EV_EFI_VARIABLE_DRIVER_CONFIG: 0x80000001,
  EV_EFI_VARIABLE_BOOT: 0x80000002,
  EV_EFI_BOOT_SERVICES_APPLICATION: 0x80000003,
  EV_EFI_BOOT_SERVICES_DRIVER: 0x80000004,
  EV_EFI_RUNTIME_SERVICES_DRIVER: 0x80000005,
  EV_EFI_GPT_EVENT: 0x80000006,
  EV_EFI_ACTION: 0x80000007,
  EV_EFI_PLATFORM_FIRMWARE_BLOB: 0x80000008,
  EV_EFI_HANDOFF_TABLES: 0x80000009,
  EV_EFI_PLATFORM_FIRMWARE_BLOB2: 0x8000000a,
  EV_EFI_HANDOFF_TABLES2: 0x8000000b,
  EV_EFI_VARIABLE_BOOT2: 0x8000000c,
  EV_EFI_GPT_EVENT2: 0x8000000d,
  EV_EFI_HCRTM_EVENT: 0x80000010,
  EV_EFI_VARIABLE_AUTHORITY: 0x800000e0,
  EV_EFI_SPDM_FIRMWARE_BLOB: 0x800000e1,
  EV_EFI_SPDM_FIRMWARE_CONFIG: 0x800000e2,
})

/** Name of an event type: `EV_SEPARATOR`. */
export type EventTypeName = keyof typeof eventTypes

const names = new Map<number, EventTypeName>(
  Object.entries(eventTypes).map(([name, type]) => [type, name as EventTypeName]),
)

/** The name of a type, or undefined for one that no specification known here has. */
export function eventTypeName(type: number): EventTypeName | undefined {
  return names.get(type)
}

/** A type for display: its name, or `type 0x00008401`. */
export function presentEventType(type: number): string {
  return names.get(type) ?? `type 0x${type.toString(16).padStart(8, '0')}`
}
