import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { changed, remeasured } from '../../../simulator/platform/edit-events.ts'
import { cat, filled, text } from '../../../simulator/tpm/write.ts'
import {
  firmwareBlob,
  imageLoad,
  signatureData,
  signatureList,
  variableData,
  zeroEnded,
} from '../../../simulator/uefi/event-data.ts'
import { EV } from '../../../simulator/uefi/event-types.ts'
import { GUIDS } from '../../../simulator/uefi/guid.ts'
import { eventOf, type Measurement, measures } from '../../../simulator/uefi/measured-event.ts'
import { ALL_BANKS } from '../../../simulator/uefi/profiles/profile.ts'
import { OWNER } from '../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { readVariable } from '../../../simulator/uefi/read-data.ts'
import { oneOf } from '../mutate-bytes.ts'
import type { Mutation } from '../stages.ts'
import { type Events, type Head, measured, withData } from './edit-boot.ts'

const OTHER_LINE = '(hd0,gpt2)/vmlinuz-6.1.0 root=/dev/vda2 ro ima_policy=tcb'

/** A command line with something behind it, measured and logged. */
function longerLine(events: Events, random: SeededRandom): Events {
  return events.map((event) => {
    const line = Buffer.from(event.data).toString('latin1')
    if (event.pcr !== 8 || !line.startsWith('kernel_cmdline: ')) return event
    const more = `${line.slice(16, -1)}${oneOf([' init=/bin/sh', ' ', 'x', '\n'], random)}`
    return withData(remeasured(event, text(more)), zeroEnded(`kernel_cmdline: ${more}`))
  })
}

/** The firmware measured one thing more at the end, and tells of it. */
function further(head: Head, makes: (random: SeededRandom) => Measurement): Mutation {
  return measured(head, (events, random) => [...events, eventOf(makes(random), ALL_BANKS)])
}

/** A database of keys with one key more. */
function withKey(events: Events, random: SeededRandom): Events {
  const name = oneOf(['PK', 'KEK', 'db'], random)
  const list = signatureList({
    ...{ type: GUIDS.certX509, owner: OWNER },
    signatures: [random.bytes(64)],
  })
  return changed(
    ({ pcr, type, data }) =>
      pcr === 7 && type === EV.EFI_VARIABLE_DRIVER_CONFIG && readVariable(data).name === name,
    (event) => {
      const { guid, data } = readVariable(event.data)
      return remeasured(event, variableData({ guid, name, data: cat(data, list) }))
    },
  )(events)
}

/** Boots with one thing more than their policy knows, measured and logged. */
export const FURTHER_MUTATIONS: readonly Mutation[] = [
  measured(
    {
      id: 'command.longer',
      what: 'started a kernel with more on its command line',
      breaks: 'boot-command',
    },
    longerLine,
  ),
  further(
    { id: 'command.further', what: 'started a second kernel', breaks: 'boot-command' },
    (random) => {
      const line = `${OTHER_LINE} ${random.below(1000)}`
      return measures(8, 'IPL', zeroEnded(`kernel_cmdline: ${line}`), text(line))
    },
  ),
  further({ id: 'file.further', what: 'read a second initrd', breaks: 'boot-file' }, (random) =>
    measures(9, 'IPL', zeroEnded('(hd0,gpt2)/initrd.img-6.1.0'), random.bytes(32)),
  ),
  further(
    { id: 'image.further', what: 'started a further image', breaks: 'boot-image' },
    (random) =>
      measures(4, 'EFI_BOOT_SERVICES_APPLICATION', imageLoad(filled(0)), random.bytes(32)),
  ),
  further(
    { id: 'blob.further', what: 'has firmware behind that of its policy', breaks: 'boot-firmware' },
    (random) =>
      measures(0, 'EFI_PLATFORM_FIRMWARE_BLOB', firmwareBlob(0n, 4096n), random.bytes(32)),
  ),
  further(
    {
      id: 'authority.further',
      what: 'started an image that a foreign key let through',
      breaks: 'boot-authority',
    },
    (random) => {
      const data = signatureData(OWNER, random.bytes(64))
      const name = { guid: GUIDS.imageSecurity, name: 'db', data }
      return measures(7, 'EFI_VARIABLE_AUTHORITY', variableData(name))
    },
  ),
  measured(
    { id: 'key.further', what: 'has a key beside those of its policy', breaks: 'boot-key' },
    withKey,
  ),
]
