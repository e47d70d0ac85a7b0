import type { Bank } from '../../tpm/hash.ts'
import { filled, text, u32le } from '../../tpm/write.ts'
import { firmwareBlob, ucs2, variableData } from '../event-data.ts'
import { GUIDS } from '../guid.ts'
import type { LogForm } from '../log-form.ts'
import { type Measurement, measures } from '../measured-event.ts'

/** A firmware with its boot loader and kernel, as data: the order of its measurements, and its log format. */
export interface FirmwareProfile extends LogForm {
  readonly name: string
  /** One clause that describes the boot. */
  readonly what: string
  readonly steps: readonly Measurement[]
}

export const ALL_BANKS: readonly Bank[] = ['sha1', 'sha256', 'sha384', 'sha512']

/** Returns content derived from a name, so that the same profile makes the same log. */
export function contentNamed(name: string): Uint8Array {
  return text(`the content of ${name}`)
}

/** EV_SEPARATOR of a boot without an error, in each of these PCRs. */
export function separators(pcrs: readonly number[], value = u32le(0)): readonly Measurement[] {
  return pcrs.map((pcr) => measures(pcr, 'SEPARATOR', value))
}

export const PRE_OS_PCRS: readonly number[] = [0, 1, 2, 3, 4, 5, 6]

/** EV_EFI_VARIABLE_…: a variable, measured whole. */
export function variable(
  pcr: number,
  type: 'EFI_VARIABLE_DRIVER_CONFIG' | 'EFI_VARIABLE_BOOT' | 'EFI_VARIABLE_AUTHORITY',
  guid: string,
  name: string,
  data: Uint8Array,
): Measurement {
  return measures(pcr, type, variableData({ guid, name, data }))
}

/** The first measurements of every boot of OVMF. */
export function ovmfStart(version: string): readonly Measurement[] {
  return [
    measures(0, 'S_CRTM_VERSION', ucs2(`${version}\0`)),
    blob('PEIFV', 0x820000n, 0xe0000n),
    blob('DXEFV', 0x900000n, 0xe80000n),
  ]
}

function blob(volume: string, base: bigint, length: bigint): Measurement {
  return measures(0, 'EFI_PLATFORM_FIRMWARE_BLOB', firmwareBlob(base, length), contentNamed(volume))
}

/** The Secure Boot variables, in the order in which firmware measures them. */
export interface SecureBootVariables {
  readonly SecureBoot: Uint8Array
  readonly PK: Uint8Array
  readonly KEK: Uint8Array
  readonly db: Uint8Array
  readonly dbx: Uint8Array
}

/** Secure Boot disabled: all variables are empty. */
export const NOT_SECURE: SecureBootVariables = {
  SecureBoot: Uint8Array.of(0),
  PK: filled(0),
  KEK: filled(0),
  db: filled(0),
  dbx: filled(0),
}

const DATABASES: ReadonlySet<string> = new Set(['db', 'dbx'])

/** The measurements of PCR 7 before an operating system, and the separator after them. */
export function secureBoot(variables: SecureBootVariables): readonly Measurement[] {
  const measured = Object.entries(variables).map(([name, data]) => {
    const guid = DATABASES.has(name) ? GUIDS.imageSecurity : GUIDS.globalVariable
    return variable(7, 'EFI_VARIABLE_DRIVER_CONFIG', guid, name, data)
  })
  return [...measured, ...separators([7])]
}

/** An EV_EFI_ACTION, whose text has no terminator. */
export function action(pcr: number, says: string): Measurement {
  return measures(pcr, 'EFI_ACTION', text(says))
}

export const CALLING_APPLICATION = 'Calling EFI Application from Boot Option'

/** Measurements of the firmware at the transition to a kernel. */
export const LEAVES: readonly Measurement[] = [
  action(5, 'Exit Boot Services Invocation'),
  action(5, 'Exit Boot Services Returned with Success'),
]
