import { eventTypes } from '../../uefi/log/event-types.ts'
import { textOf } from '../../uefi/log/text-of.ts'
import { at, behind, CONFIG, type Event, event } from '../forged-boot.ts'
import { type Attempt, attempts } from './attempt.ts'

const SEPARATOR = eventTypes.EV_SEPARATOR
const isSeparator = (pcr: number) => (one: Event) =>
  one.pcr === pcr && one.untrustedType === SEPARATOR
const inFirmware = (type: number, content: string) => (events: readonly Event[]) => {
  const place = events.findIndex(isSeparator(0))
  if (place < 0) throw new Error('no such event')
  return events.toSpliced(place, 0, event(0, content, content, type))
}
const isVersion = ({ pcr, untrustedType }: Event) =>
  pcr === 0 && untrustedType === eventTypes.EV_S_CRTM_VERSION
const isBlob = ({ pcr, untrustedType }: Event) =>
  pcr === 0 &&
  (untrustedType === eventTypes.EV_EFI_PLATFORM_FIRMWARE_BLOB ||
    untrustedType === eventTypes.EV_EFI_PLATFORM_FIRMWARE_BLOB2)

/** Types under which something further in PCR 0 is logged. */
const FURTHER = [
  ...(['EV_EFI_PLATFORM_FIRMWARE_BLOB', 'EV_EFI_PLATFORM_FIRMWARE_BLOB2', 'EV_POST_CODE'] as const),
  ...(['EV_POST_CODE2', 'EV_S_CRTM_CONTENTS', 'EV_EFI_HANDOFF_TABLES', 'EV_NONHOST_CODE'] as const),
  ...(['EV_NONHOST_CONFIG', 'EV_NONHOST_INFO', 'EV_EFI_HCRTM_EVENT'] as const),
]

export const FIRMWARE: readonly Attempt[] = [
  ...attempts(
    'further firmware before the separator, told as',
    'firmware',
    FURTHER.map((type) => [type, inFirmware(eventTypes[type], 'further firmware')] as const),
  ),
  ...attempts(
    'further firmware before the last one, told as',
    'firmware',
    FURTHER.map(
      (type) => [type, at(isBlob, (one) => [event(0, 'x', 'x', eventTypes[type]), one])] as const,
    ),
  ),
  ...attempts('firmware', 'firmware', [
    ['of another version', at(isVersion, () => [event(0, 'v', 'v', eventTypes.EV_S_CRTM_VERSION)])],
    ['of two versions', at(isVersion, (one) => [one, event(0, 'v', 'v', one.untrustedType)])],
    [
      'without a version',
      (events) => {
        if (!events.some(isVersion)) throw new Error('no such event')
        return events.filter((one) => !isVersion(one))
      },
    ],
    ['with another blob', at(isBlob, (one) => [event(0, textOf(one.raw), 'x', one.untrustedType)])],
    ['without a blob', at(isBlob, () => [])],
    [
      'with its blob told as a post code, and another one',
      at(isBlob, (one) => [event(0, 'POST CODE', 'x', eventTypes.EV_POST_CODE), one]),
    ],
  ]),
  ...attempts('separator', 'separators', [
    ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((pcr) => [
      [`of PCR ${pcr} missing`, at(isSeparator(pcr), () => [])] as const,
      [
        `of PCR ${pcr} of an error`,
        at(isSeparator(pcr), () => [event(pcr, '\u0001\0\0\0', '\u0001\0\0\0', SEPARATOR)]),
      ] as const,
      [
        `of PCR ${pcr} of another number`,
        at(isSeparator(pcr), () => [event(pcr, '\u0002\0\0\0', '\u0002\0\0\0', SEPARATOR)]),
      ] as const,
    ]),
  ]),
  ...attempts('action', 'actions', [
    ...['UEFI Debug Mode', 'DMA Protection Disabled ', '', 'dma protection disabled', 'x\0'].map(
      (says) =>
        [JSON.stringify(says), behind(event(7, says, says, eventTypes.EV_EFI_ACTION))] as const,
    ),
  ]),
  ...attempts('event that must not be', 'events', [
    ...[0, 7, 8, 9, 14].map(
      (pcr) => [`of no known type in PCR ${pcr}`, behind(event(pcr, 'x', 'x', 0xa0a0))] as const,
    ),
    ['a separator in PCR 8', behind(event(8, '\0\0\0\0', '\0\0\0\0', SEPARATOR))],
    ['a separator in PCR 14', behind(event(14, '\0\0\0\0', '\0\0\0\0', SEPARATOR))],
    ['an image in PCR 7', behind(event(7, '', 'x', eventTypes.EV_EFI_BOOT_SERVICES_APPLICATION))],
    ['a variable in PCR 0', behind(event(0, 'x', 'x', CONFIG))],
  ]),
]
