import { text, u16le } from '../../tpm/write.ts'
import { devicePath, firmwareFileNodes } from '../device-path.ts'
import { imageLoad, loadOption, taggedEvent, zeroEnded } from '../event-data.ts'
import { GUIDS } from '../guid.ts'
import { type Measurement, measures } from '../measured-event.ts'
import {
  ALL_BANKS,
  action,
  CALLING_APPLICATION,
  contentNamed,
  type FirmwareProfile,
  LEAVES,
  NOT_SECURE,
  ovmfStart,
  PRE_OS_PCRS,
  type SecureBootVariables,
  secureBoot,
  separators,
  variable,
} from './profile.ts'
import { SECURE } from './secure-boot-keys.ts'

const VOLUME = '7cb8bdc9-f8eb-4f34-aaea-3ee4af6516a1'
const MENU = '462caa21-7614-4503-836e-8ab6f4662331'

/** BootOrder and its only option. */
const BOOT_VARIABLES: readonly Measurement[] = [
  variable(1, 'EFI_VARIABLE_BOOT', GUIDS.globalVariable, 'BootOrder', u16le(0)),
  variable(
    ...([1, 'EFI_VARIABLE_BOOT', GUIDS.globalVariable, 'Boot0000'] as const),
    loadOption('UiApp', firmwareFileNodes(VOLUME, MENU)),
  ),
]

/** A kernel that the firmware starts directly, as QEMU passes it. */
const DIRECT_KERNEL = measures(
  ...([4, 'EFI_BOOT_SERVICES_APPLICATION'] as const),
  imageLoad(devicePath(firmwareFileNodes(VOLUME, MENU))),
  contentNamed('vmlinuz'),
)

/** Measurements of the kernel's EFI stub: its command line, and the initial file system. */
const STUB: readonly Measurement[] = [
  measures(
    9,
    'EVENT_TAG',
    taggedEvent(0x8f3b22ed, zeroEnded('LOADED_IMAGE::LoadOptions')),
    text('root=/dev/vda ima_policy=tcb'),
  ),
  measures(
    9,
    'EVENT_TAG',
    taggedEvent(0x8f3b22ec, zeroEnded('Linux initrd')),
    contentNamed('initrd'),
  ),
]

function ovmf(name: string, what: string, variables: SecureBootVariables): FirmwareProfile {
  return {
    ...{ name, what, form: 'crypto-agile', banks: ALL_BANKS },
    steps: [
      ...ovmfStart('edk2-stable202402'),
      ...secureBoot(variables),
      DIRECT_KERNEL,
      ...BOOT_VARIABLES,
      action(4, CALLING_APPLICATION),
      ...separators(PRE_OS_PCRS),
      ...STUB,
      ...LEAVES,
    ],
  }
}

/** A virtual machine whose firmware starts its kernel directly, without Secure Boot. */
export const OVMF = ovmf('ovmf', 'OVMF without Secure Boot starts a kernel', NOT_SECURE)

/** The same with Secure Boot. */
export const OVMF_SECURE = ovmf('ovmf-secure', 'OVMF with Secure Boot starts a kernel', SECURE)
