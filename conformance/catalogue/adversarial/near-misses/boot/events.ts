import { inserted, remeasured } from '../../../../../simulator/platform/edit-events.ts'
import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { cat, filled, text } from '../../../../../simulator/tpm/write.ts'
import { END_NODE } from '../../../../../simulator/uefi/device-path.ts'
import { gptData, imageLoad } from '../../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import { GUIDS } from '../../../../../simulator/uefi/guid.ts'
import type { UefiEvent } from '../../../../../simulator/uefi/log.ts'
import { measures } from '../../../../../simulator/uefi/measured-event.ts'
import { variable } from '../../../../../simulator/uefi/profiles/profile.ts'
import { OWNER } from '../../../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { ALTERATIONS, type NearMiss, type NearMissGroup } from '../near-miss.ts'
import { booted, digestsAltered, replaced } from './evidence.ts'
import { LOADERS } from './loaders.ts'

const ROW = 'VER-EVIDENCE-BOOT-JUDGES'
const OTHER = text('something else')

/** Another boot under the same policy. */
function after(sends: string, events: EditEvents): NearMiss {
  return { sends, breaks: ROW, evidence: () => booted({ events }) }
}

const ofType = (pcr: number, type: number) => (event: UefiEvent) =>
  event.pcr === pcr && event.type === type
const VERSION = ofType(0, EV.S_CRTM_VERSION)
const BLOB = ofType(0, EV.EFI_PLATFORM_FIRMWARE_BLOB)
const IMAGE = ofType(4, EV.EFI_BOOT_SERVICES_APPLICATION)
const FILE = ofType(9, EV.IPL)
const MOK = ofType(14, EV.IPL)
const ACTION = ofType(4, EV.EFI_ACTION)

const named =
  (find: (event: UefiEvent) => boolean, ...names: readonly string[]) =>
  (event: UefiEvent) =>
    find(event) && names.some((name) => Buffer.from(event.data).toString('latin1').includes(name))

/** Returns the event with another measured content and the same data. */
function contentOf(event: UefiEvent, content: Uint8Array): UefiEvent {
  return { ...event, digests: remeasured(event, content).digests }
}

/** Edits the matching events as a list; they stay where the first of them was. */
function among(
  find: (event: UefiEvent) => boolean,
  edit: (found: readonly UefiEvent[]) => readonly UefiEvent[],
): EditEvents {
  return (events) => {
    const at = events.findIndex(find)
    const others = events.filter((event) => !find(event))
    return others.toSpliced(at, 0, ...edit(events.filter(find)))
  }
}

/** Another boot that the policy allows. */
function allowed(sends: string, events: EditEvents): NearMiss {
  return { sends, evidence: () => booted({ events }) }
}

const bad = (event: UefiEvent) => contentOf(event, OTHER)

const FIRMWARES: readonly NearMiss[] = [
  after(
    'a second version of the firmware',
    replaced(VERSION, (one) => [one, bad(one)]),
  ),
  after(
    'a version of the firmware before the listed one',
    replaced(VERSION, (one) => [bad(one), one]),
  ),
  after(
    'no version of the firmware',
    replaced(VERSION, () => []),
  ),
  after(
    'firmware without its last part',
    among(BLOB, (found) => found.slice(0, -1)),
  ),
  after(
    'firmware without its first part',
    among(BLOB, (found) => found.slice(1)),
  ),
  after(
    'the parts of the firmware in another order',
    among(BLOB, (found) => found.toReversed()),
  ),
  after(
    'a further part before the firmware',
    among(BLOB, (found) => [...found.slice(0, 1).map(bad), ...found]),
  ),
  after(
    'a further part behind the firmware',
    among(BLOB, (found) => [...found, ...found.slice(0, 1).map(bad)]),
  ),
  after(
    'a further part between the others, which the log calls a post code',
    among(BLOB, ([one, ...rest]) =>
      one ? [one, { ...bad(one), type: EV.POST_CODE }, ...rest] : [],
    ),
  ),
]

const IMAGES: readonly NearMiss[] = [
  ...[0, 1, 2].flatMap((at) => [
    after(
      `another image in place ${at} of three`,
      among(IMAGE, (found) => found.map((one, i) => (i === at ? bad(one) : one))),
    ),
    after(
      `no image in place ${at} of three`,
      among(IMAGE, (found) => found.toSpliced(at, 1)),
    ),
    after(
      `an image twice, in place ${at} of three`,
      among(IMAGE, (found) => found.toSpliced(at, 0, ...found.slice(at, at + 1))),
    ),
  ]),
  after(
    'the images in another order',
    among(IMAGE, (found) => found.toReversed()),
  ),
  after(
    'a further image behind the kernel',
    among(IMAGE, (found) => [...found, ...found.slice(0, 1).map(bad)]),
  ),
]

const INITRD = named(FILE, 'initrd')
const COMMAND = named(ofType(8, EV.IPL), 'kernel_cmdline')

/** The command that starts the kernel, and its command line. */
const STARTED = named(ofType(8, EV.IPL), 'grub_cmd: linux ', 'kernel_cmdline')
/** Label, which grub does not measure; command, which it does; and command line. */
const LINE = /^(grub_cmd: |kernel_cmdline: )(linux |)([^\0]*)\0$/

/** A command line with a change, measured as grub measures it. */
function commanded(event: UefiEvent, change: (line: string) => string): UefiEvent {
  const [, label = '', command = '', line = ''] =
    LINE.exec(Buffer.from(event.data).toString('latin1')) ?? []
  const other = `${command}${change(line)}`
  return {
    ...event,
    data: text(`${label}${other}\0`),
    digests: remeasured(event, text(other)).digests,
  }
}

const evil = (event: UefiEvent) => commanded(event, () => 'init=/bin/sh')

const KERNELS: readonly NearMiss[] = [
  // The digest covers the text alone, so that a log need not end it with a zero.
  allowed(
    'a command line that does not end with a zero',
    replaced(STARTED, (one) => [{ ...one, data: one.data.subarray(0, -1) }]),
  ),
  after(
    'another initrd',
    replaced(INITRD, (one) => [bad(one)]),
  ),
  after(
    'a second initrd',
    replaced(INITRD, (one) => [one, bad(one)]),
  ),
  after(
    'another initrd before the listed one',
    replaced(INITRD, (one) => [bad(one), one]),
  ),
  after(
    'no initrd',
    replaced(INITRD, () => []),
  ),
  after(
    'no command line',
    replaced(COMMAND, () => []),
  ),
  after('nothing in the PCR of command lines', (events) => events.filter(({ pcr }) => pcr !== 8)),
  after(
    'a second command line',
    replaced(COMMAND, (one) => [one, evil(one)]),
  ),
  after(
    'another command line before the listed one',
    replaced(COMMAND, (one) => [evil(one), one]),
  ),
  after(
    'a command line that goes on',
    replaced(STARTED, (one) => [commanded(one, (line) => `${line} init=/bin/sh`)]),
  ),
  after(
    'a command line with a second line',
    replaced(STARTED, (one) => [commanded(one, (line) => `${line}\ninit=/bin/sh`)]),
  ),
  after(
    'a command line in upper case',
    replaced(STARTED, (one) => [commanded(one, (line) => line.toUpperCase())]),
  ),
  after(
    'a command line with something before it',
    replaced(STARTED, (one) => [commanded(one, (line) => `init=/bin/sh ${line}`)]),
  ),
  after(
    'a command line whose digest is of another',
    replaced(COMMAND, (one) => [bad(one)]),
  ),
  after(
    'a second command line whose digest is of another',
    replaced(COMMAND, (one) => [one, bad(one)]),
  ),
]

const MOK_LISTS: readonly NearMiss[] = [
  after(
    'a second MokList',
    replaced(named(MOK, 'MokList\0'), (one) => [one, bad(one)]),
  ),
  after(
    'another MokListX',
    replaced(named(MOK, 'MokListX'), (one) => [bad(one)]),
  ),
  after(
    'another value of MokListTrusted',
    replaced(named(MOK, 'MokListTrusted'), (one) => [bad(one)]),
  ),
  ...ALTERATIONS.map(([says, alter]) =>
    after(
      `MokListTrusted with a digest ${says}`,
      replaced(named(MOK, 'MokListTrusted'), (one) => [digestsAltered(one, alter)]),
    ),
  ),
  after(
    'a list of shim with an unknown name',
    replaced(named(MOK, 'MokList\0'), (one) => [one, { ...one, data: text('MokListOther\0') }]),
  ),
]

const ACTIONS: readonly NearMiss[] = [
  'UEFI Debug Mode',
  'Calling EFI',
  'Calling EFI Application from Boot Option 2',
  'CALLING EFI APPLICATION FROM BOOT OPTION',
  'DMA Protection Disabled',
].map((says) =>
  after(
    `the action "${says}" in PCR 4`,
    replaced(ACTION, (one) => [one, remeasured(one, text(says))]),
  ),
)

/** A blob of firmware with its name, as later firmware measures it (PFP 10.2.4). */
const asNewerBlob = ({ data, ...event }: UefiEvent): UefiEvent => ({
  ...{ ...event, type: EV.EFI_PLATFORM_FIRMWARE_BLOB2 },
  data: cat(Uint8Array.of(4), text('main'), data),
})

const DRIVER = measures(2, 'EFI_BOOT_SERVICES_DRIVER', imageLoad(END_NODE), text('a driver'))
const PARTITION = { type: GUIDS.efiSystemPartition, id: OWNER, name: 'one' }
const WIDE = cat(gptData(OWNER, [PARTITION], { entrySize: 256 }), filled(128))

/** What no policy names: other types of the same measurements, and other devices. */
const OTHERS: readonly NearMiss[] = [
  allowed(
    'firmware of the newer type',
    replaced(BLOB, (one) => [asNewerBlob(one)]),
  ),
  allowed(
    'boot variables of the newer type',
    replaced(ofType(1, EV.EFI_VARIABLE_BOOT), (one) => [{ ...one, type: EV.EFI_VARIABLE_BOOT2 }]),
  ),
  allowed(
    'a boot variable without a value',
    inserted(variable(1, 'EFI_VARIABLE_BOOT', GUIDS.globalVariable, 'Boot0002', filled(0))),
  ),
  allowed('a driver of a device', inserted(DRIVER, ofType(2, EV.SEPARATOR))),
  allowed(
    'a partition table with entries of 256 bytes',
    inserted(measures(5, 'EFI_GPT_EVENT', WIDE)),
  ),
]

/** Separators of zeros and of ones both say that there was no error (PFP 2.3.4). */
const SEPARATORS = allowed(
  'separators of ones',
  replaced(
    ({ type }) => type === EV.SEPARATOR,
    (one) => [remeasured(one, filled(4, 0xff))],
  ),
)

const SOUND: NearMiss = { sends: 'the boot of the policy', evidence: () => booted() }

export const BOOT_EVENTS: NearMissGroup = {
  id: 'boot-events',
  title: 'The verifier compares every event of firmware, images and command lines with the policy',
  needs: ['uefi_log', 'measured_boot'],
  rows: [
    ...[SOUND, SEPARATORS, ...OTHERS, ...FIRMWARES, ...IMAGES, ...KERNELS],
    ...[...MOK_LISTS, ...LOADERS, ...ACTIONS, SOUND],
  ],
}
