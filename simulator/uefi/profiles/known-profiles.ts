import { SHIM_GRUB, SYSTEMD_BOOT } from './loaders.ts'
import { OVMF, OVMF_SECURE } from './ovmf.ts'
import type { FirmwareProfile } from './profile.ts'
import { LEGACY, SEABIOS } from './seabios.ts'

/** Every firmware that a script can boot. */
export const PROFILES: readonly FirmwareProfile[] = [
  OVMF,
  OVMF_SECURE,
  SHIM_GRUB,
  SYSTEMD_BOOT,
  SEABIOS,
  LEGACY,
]

/** Returns the profile of that name. */
export function profileByName(name: string): FirmwareProfile | undefined {
  return PROFILES.find((profile) => profile.name === name)
}
