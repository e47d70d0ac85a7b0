import { cat, filled, text } from '../../tpm/write.ts'
import { taggedEvent } from '../event-data.ts'
import { type Measurement, measures } from '../measured-event.ts'
import { contentNamed, type FirmwareProfile, PRE_OS_PCRS, separators } from './profile.ts'

const OPTION_ROM = 7
const SMBIOS = 1

function optionRom(name: string): Measurement {
  const content = contentNamed(name)
  const data = taggedEvent(OPTION_ROM, cat(filled(4), content.subarray(0, 20)))
  return measures(2, 'EVENT_TAG', data, content)
}

/** A firmware without UEFI: its separators are ones, and its log has no images or variables. */
export const SEABIOS: FirmwareProfile = {
  name: 'seabios',
  what: 'SeaBIOS, which measures neither variables nor images',
  form: 'crypto-agile',
  banks: ['sha1', 'sha256'],
  steps: [
    measures(1, 'EVENT_TAG', taggedEvent(SMBIOS, filled(20, 0x5a)), contentNamed('SMBIOS')),
    measures(2, 'ACTION', text('Start Option ROM Scan')),
    ...['video', 'network', 'keyboard'].map(optionRom),
    measures(4, 'ACTION', text('Calling INT 19h')),
    ...separators([...PRE_OS_PCRS, 7], filled(4, 0xff)),
    measures(4, 'IPL', filled(0), contentNamed('master boot record')),
    measures(5, 'IPL_PARTITION_DATA', filled(0), contentNamed('partition table')),
  ],
}

/** The same for a firmware of TCG 1.2: events without a header, in SHA-1 only. */
export const LEGACY: FirmwareProfile = {
  ...SEABIOS,
  name: 'tcg-1.2',
  what: 'a firmware of TCG 1.2, whose log has SHA-1 digests and no header',
  form: 'sha1',
  banks: ['sha1'],
}
