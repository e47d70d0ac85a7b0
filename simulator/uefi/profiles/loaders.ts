import { text, u16le } from '../../tpm/write.ts'
import { devicePath, fileNode, partitionNode, pciNodes } from '../device-path.ts'
import {
  gptData,
  imageLoad,
  loadOption,
  type Partition,
  taggedEvent,
  ucs2,
  zeroEnded,
} from '../event-data.ts'
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
  secureBoot,
  separators,
  variable,
} from './profile.ts'
import { AUTHORITY, SECURE } from './secure-boot-keys.ts'

const DISK = '3b1a5f52-6a5e-4f0e-9d4e-2f6d6c6f0f11'
const ESP: Partition = {
  type: GUIDS.efiSystemPartition,
  id: '0ad8e159-a8a9-4936-b0c2-3cf775e007b2',
  name: 'EFI System Partition',
}
const ROOT: Partition = {
  type: '4f68bce3-e8cd-4db1-96e7-fbcaf984b709',
  id: '8f5b7a3e-4c4d-4a40-8dbe-0f3a6d7b1e20',
  name: 'root',
}

/** Returns the path of a file on the first partition of the first disk. */
function onDisk(file: string): readonly Uint8Array[] {
  return [...pciNodes(3, 0), partitionNode(1, ESP.id), fileNode(file)]
}

/** Measures a started image: the digest covers the image, the data is its path. */
function image(content: string, file?: string): Measurement {
  const path = file === undefined ? new Uint8Array() : devicePath(onDisk(file))
  return measures(4, 'EFI_BOOT_SERVICES_APPLICATION', imageLoad(path), contentNamed(content))
}

function bootVariables(label: string, file: string): readonly Measurement[] {
  const option = loadOption(label, onDisk(file))
  return [
    variable(1, 'EFI_VARIABLE_BOOT', GUIDS.globalVariable, 'BootOrder', u16le(1)),
    variable(1, 'EFI_VARIABLE_BOOT', GUIDS.globalVariable, 'Boot0001', option),
  ]
}

const GPT = measures(5, 'EFI_GPT_EVENT', gptData(DISK, [ESP, ROOT]))

/** Measures a list of shim: the digest covers the list, the data is its name. */
function shimList(name: string): Measurement {
  return measures(14, 'IPL', zeroEnded(name), contentNamed(name))
}

/** Measures a grub command: the digest covers it without prefix and terminator. */
function grubCommand(command: string, prefix = 'grub_cmd'): Measurement {
  return measures(8, 'IPL', zeroEnded(`${prefix}: ${command}`), text(command))
}

/** Measures a file that grub reads. */
function grubFile(path: string, content = path): Measurement {
  return measures(9, 'IPL', zeroEnded(path), contentNamed(content))
}

const KERNEL = '(hd0,gpt2)/vmlinuz-6.1.0'
const INITRD = '(hd0,gpt2)/initrd.img-6.1.0'
const COMMAND_LINE = `${KERNEL} root=/dev/vda2 ro ima_policy=tcb`

const GRUB: readonly Measurement[] = [
  grubFile('(hd0,gpt1)/EFI/debian/grub.cfg'),
  grubCommand('set prefix=(hd0,gpt2)/grub'),
  grubCommand('configfile (hd0,gpt2)/grub/grub.cfg'),
  grubFile('(hd0,gpt2)/grub/grub.cfg'),
  grubCommand(`linux ${COMMAND_LINE}`),
  grubFile(KERNEL, 'vmlinuz'),
  image('vmlinuz'),
  grubCommand(COMMAND_LINE, 'kernel_cmdline'),
  grubCommand(`initrd ${INITRD}`),
  grubFile(INITRD, 'initrd'),
]

/** Secure Boot, shim, grub and a kernel: the most common server setup. */
export const SHIM_GRUB: FirmwareProfile = {
  name: 'shim-grub',
  what: 'Secure Boot starts shim, which starts grub, which starts a kernel',
  form: 'crypto-agile',
  banks: ALL_BANKS,
  steps: [
    ...ovmfStart('edk2-20240524'),
    ...secureBoot(SECURE),
    ...bootVariables('debian', '\\EFI\\debian\\shimx64.efi'),
    action(4, CALLING_APPLICATION),
    ...separators(PRE_OS_PCRS),
    variable(7, 'EFI_VARIABLE_AUTHORITY', GUIDS.imageSecurity, 'db', AUTHORITY),
    GPT,
    image('shim', '\\EFI\\debian\\shimx64.efi'),
    ...['MokList', 'MokListX'].map(shimList),
    variable(
      7,
      'EFI_VARIABLE_AUTHORITY',
      GUIDS.shim,
      'SbatLevel',
      text('sbat,1,2024010900\nshim,4\n'),
    ),
    // shim measures the trust in its list as the one byte of the variable.
    measures(14, 'IPL', zeroEnded('MokListTrusted'), Uint8Array.of(1)),
    image('grub', '\\EFI\\debian\\grubx64.efi'),
    ...GRUB,
    ...LEAVES,
  ],
}

const STUB_SECTIONS = ['.linux', '.osrel', '.cmdline', '.initrd'] as const

/** Measures a section of a unified kernel image, its name and then its content. */
function section(name: string): readonly Measurement[] {
  return [
    measures(11, 'IPL', zeroEnded(name)),
    measures(11, 'IPL', zeroEnded(name), contentNamed(name)),
  ]
}

/** systemd-boot and a unified kernel image, without Secure Boot. */
export const SYSTEMD_BOOT: FirmwareProfile = {
  name: 'systemd-boot',
  what: 'systemd-boot starts a unified kernel image, without Secure Boot',
  form: 'crypto-agile',
  banks: ['sha256', 'sha384'],
  steps: [
    ...ovmfStart('edk2-20240524'),
    ...secureBoot(NOT_SECURE),
    ...bootVariables('Linux Boot Manager', '\\EFI\\systemd\\systemd-bootx64.efi'),
    action(4, CALLING_APPLICATION),
    ...separators(PRE_OS_PCRS),
    GPT,
    image('systemd-boot', '\\EFI\\systemd\\systemd-bootx64.efi'),
    measures(5, 'EVENT_TAG', taggedEvent(0xf5bc582a, ucs2('loader.conf\0')), text('timeout 3\n')),
    image('unified kernel image', '\\EFI\\Linux\\debian.efi'),
    ...STUB_SECTIONS.flatMap(section),
    measures(12, 'IPL', ucs2('root=/dev/vda2 ro\0')),
    measures(
      9,
      'EVENT_TAG',
      taggedEvent(0x8f3b22ec, zeroEnded('Linux initrd')),
      contentNamed('initrd'),
    ),
    ...LEAVES,
  ],
}
