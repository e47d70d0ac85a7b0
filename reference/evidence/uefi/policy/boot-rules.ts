import { type EventTypeName, eventTypeName } from '../log/event-types.ts'

/** Kinds of events under the policy. */
export type EventRole =
  | 'separator'
  | 'crtm'
  | 'firmware'
  | 'settings'
  | 'image'
  | 'action'
  | 'keys'
  | 'authority'
  | 'command'
  | 'file'
  | 'mok'

/** PCRs that the `example` policy rests on: those of the firmware and of the boot loaders, and shim's 14. */
export const EXAMPLE_PCRS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14]

type Row = readonly [pcrs: readonly number[], role: EventRole, types: readonly EventTypeName[]]

const BEFORE_BOOT = [0, 1, 2, 3, 4, 5, 6, 7] as const

/**
 * Which events there may be, by PCR and type. No digest covers the type of an event, so within a PCR no row may let
 * through what another row checks: everything in PCR 0 except its version counts as firmware, every
 * image load in PCR 4 as image. Reference states have no member for PCR 1, 2, 3, 5 and 6: of these only the form is checked.
 */
const ROWS: readonly Row[] = [
  [BEFORE_BOOT, 'separator', ['EV_SEPARATOR']],
  [[0], 'crtm', ['EV_S_CRTM_VERSION']],
  [
    [0],
    'firmware',
    [
      ...(['EV_EFI_PLATFORM_FIRMWARE_BLOB', 'EV_EFI_PLATFORM_FIRMWARE_BLOB2'] as const),
      ...(['EV_POST_CODE', 'EV_POST_CODE2', 'EV_S_CRTM_CONTENTS', 'EV_EFI_HCRTM_EVENT'] as const),
      ...(['EV_NONHOST_CODE', 'EV_NONHOST_CONFIG', 'EV_NONHOST_INFO'] as const),
      'EV_EFI_HANDOFF_TABLES',
    ],
  ],
  [
    [1, 2, 3, 5, 6],
    'settings',
    [
      ...(['EV_ACTION', 'EV_EFI_ACTION', 'EV_EVENT_TAG', 'EV_COMPACT_HASH'] as const),
      ...(['EV_PLATFORM_CONFIG_FLAGS', 'EV_TABLE_OF_DEVICES', 'EV_CPU_MICROCODE'] as const),
      ...(['EV_EFI_VARIABLE_DRIVER_CONFIG', 'EV_EFI_VARIABLE_BOOT'] as const),
      ...(['EV_EFI_VARIABLE_BOOT2', 'EV_EFI_HANDOFF_TABLES', 'EV_EFI_HANDOFF_TABLES2'] as const),
      ...(['EV_EFI_GPT_EVENT', 'EV_EFI_GPT_EVENT2', 'EV_IPL', 'EV_IPL_PARTITION_DATA'] as const),
      ...(['EV_EFI_BOOT_SERVICES_APPLICATION', 'EV_EFI_BOOT_SERVICES_DRIVER'] as const),
      ...(['EV_EFI_RUNTIME_SERVICES_DRIVER', 'EV_EFI_PLATFORM_FIRMWARE_BLOB'] as const),
      ...(['EV_EFI_PLATFORM_FIRMWARE_BLOB2', 'EV_NONHOST_CONFIG', 'EV_POST_CODE'] as const),
      ...(['EV_EFI_SPDM_FIRMWARE_BLOB', 'EV_EFI_SPDM_FIRMWARE_CONFIG'] as const),
      ...(['EV_OMIT_BOOT_DEVICE_EVENTS', 'EV_NONHOST_INFO', 'EV_POST_CODE2'] as const),
    ],
  ],
  [[4], 'image', ['EV_EFI_BOOT_SERVICES_APPLICATION', 'EV_EFI_BOOT_SERVICES_DRIVER', 'EV_IPL']],
  [[4, 7], 'action', ['EV_ACTION', 'EV_EFI_ACTION']],
  [[7], 'keys', ['EV_EFI_VARIABLE_DRIVER_CONFIG']],
  [[7], 'authority', ['EV_EFI_VARIABLE_AUTHORITY']],
  [[8], 'command', ['EV_IPL']],
  [[9], 'file', ['EV_IPL', 'EV_EVENT_TAG']],
  [[14], 'mok', ['EV_IPL']],
]

const roles: ReadonlyMap<string, EventRole> = new Map(
  ROWS.flatMap(([pcrs, role, types]) =>
    pcrs.flatMap((pcr) => types.map((type) => [`${pcr} ${type}`, role] as const)),
  ),
)

/** The kind of an event of this type in this PCR; undefined if it is not allowed. */
export function roleOf(pcr: number, type: number): EventRole | undefined {
  const name = eventTypeName(type)
  return name && roles.get(`${pcr} ${name}`)
}

/** Roles whose event data the policy reads, so that the digest must cover exactly that data. */
export const PROVEN_ROLES: ReadonlySet<EventRole> = new Set([
  'separator',
  'action',
  'keys',
  'authority',
])

/** What firmware may say it did, by PCR. */
export const ACTIONS: ReadonlyMap<number, ReadonlySet<string>> = new Map([
  [
    4,
    new Set([
      'Calling EFI Application from Boot Option',
      'Returning from EFI Application from Boot Option',
      'Calling INT 19h',
      'Returned INT 19h',
      'Return via INT 18h',
    ]),
  ],
  [7, new Set(['DMA Protection Disabled'])],
])

/** Vendors of variables (UEFI 3.3, 32.4.1; shim). */
export const VENDORS = {
  global: '8be4df61-93ca-11d2-aa0d-00e098032b8c',
  imageSecurity: 'd719b2cb-3d3a-4596-a3bc-dad00e67656f',
  shim: '605dab50-e046-4300-abb6-3dd810dd8b23',
} as const

/** GUID of a vendor -> names of its variables; under another vendor, a name is that of another variable. */
export type VariableNames = ReadonlyMap<string, ReadonlySet<string>>

/** What firmware and shim measure into PCR 7. */
export const KEY_VARIABLES: VariableNames = new Map([
  [
    VENDORS.global,
    new Set([
      ...['SecureBoot', 'PK', 'KEK'],
      ...['SetupMode', 'AuditMode', 'DeployedMode', 'OsRecoveryOrder'],
    ]),
  ],
  [VENDORS.imageSecurity, new Set(['db', 'dbx', 'dbt', 'dbr'])],
  [VENDORS.shim, new Set(['vendor_db', 'vendor_dbx'])],
])

/** Sources of the verification of an image. */
export const AUTHORITIES: VariableNames = new Map([
  [VENDORS.imageSecurity, new Set(['db', 'vendor_db'])],
  [
    VENDORS.shim,
    new Set(['vendor_db', 'Shim', 'MokList', 'MokListX', 'MokListTrusted', 'SbatLevel']),
  ],
])
