/** Types of firmware events (TCG PC Client Platform Firmware Profile, 10.4.1), by the names without `EV_`. */
export const EV = {
  PREBOOT_CERT: 0x00,
  POST_CODE: 0x01,
  UNUSED: 0x02,
  NO_ACTION: 0x03,
  SEPARATOR: 0x04,
  ACTION: 0x05,
  EVENT_TAG: 0x06,
  S_CRTM_CONTENTS: 0x07,
  S_CRTM_VERSION: 0x08,
  CPU_MICROCODE: 0x09,
  PLATFORM_CONFIG_FLAGS: 0x0a,
  TABLE_OF_DEVICES: 0x0b,
  COMPACT_HASH: 0x0c,
  IPL: 0x0d,
  IPL_PARTITION_DATA: 0x0e,
  NONHOST_CODE: 0x0f,
  NONHOST_CONFIG: 0x10,
  NONHOST_INFO: 0x11,
  OMIT_BOOT_DEVICE_EVENTS: 0x12,
  POST_CODE2: 0x13,
  EFI_VARIABLE_DRIVER_CONFIG: 0x80000001,
  EFI_VARIABLE_BOOT: 0x80000002,
  EFI_BOOT_SERVICES_APPLICATION: 0x80000003,
  EFI_BOOT_SERVICES_DRIVER: 0x80000004,
  EFI_RUNTIME_SERVICES_DRIVER: 0x80000005,
  EFI_GPT_EVENT: 0x80000006,
  EFI_ACTION: 0x80000007,
  EFI_PLATFORM_FIRMWARE_BLOB: 0x80000008,
  EFI_HANDOFF_TABLES: 0x80000009,
  EFI_PLATFORM_FIRMWARE_BLOB2: 0x8000000a,
  EFI_HANDOFF_TABLES2: 0x8000000b,
  EFI_VARIABLE_BOOT2: 0x8000000c,
  EFI_GPT_EVENT2: 0x8000000d,
  EFI_HCRTM_EVENT: 0x80000010,
  EFI_VARIABLE_AUTHORITY: 0x800000e0,
  EFI_SPDM_FIRMWARE_BLOB: 0x800000e1,
  EFI_SPDM_FIRMWARE_CONFIG: 0x800000e2,
  EFI_SPDM_DEVICE_POLICY: 0x800000e3,
  EFI_SPDM_DEVICE_AUTHORITY: 0x800000e4,
} as const

/** An event type that has a name. */
export type EventName = keyof typeof EV

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(EV).map(([name, type]) => [type, `EV_${name}`]),
)

/** Returns `EV_…`, or the number in hexadecimal for an unknown type. */
export function eventTypeName(type: number): string {
  return NAMES.get(type) ?? `0x${type.toString(16).padStart(8, '0')}`
}
