import { eventTypes } from '../../uefi/log/event-types.ts'
import { textOf } from '../../uefi/log/text-of.ts'
import { at, behind, type Event, event, isImage, isNamed } from '../forged-boot.ts'
import { type Attempt, attempts } from './attempt.ts'

const file = (name: string, content = 'another file') => event(9, name, content)
const KERNEL = isNamed(/vmlinuz/)
const INITRD = isNamed(/initr/)

/** A file of PCR 9 with the digest of another one. */
function swappedDigests(events: readonly Event[]): readonly Event[] {
  const [kernel, initrd] = [events.find(KERNEL), events.find(INITRD)]
  if (!kernel || !initrd) throw new Error('no such event')
  return events.map((one) => {
    if (one === kernel) return { ...one, digests: initrd.digests }
    return one === initrd ? { ...one, digests: kernel.digests } : one
  })
}

const FREE_NAMES = [
  ...['', ' ', '\0', 'x', 'grub.cfg', '/boot/vmlinuz', 'INITRD', 'bzImage', '\u00e9', 'vmlinux'],
  ...['(hd0)/a\0b', '../vmlinuz', 'initramfs.img\0\0', 'kernel_cmdline: /x', 'Loaded initrd'],
]

export const FILES: readonly Attempt[] = [
  ...attempts(
    'further file called',
    'kernel',
    FREE_NAMES.map((name) => [JSON.stringify(name), behind(file(name))] as const),
  ),
  ...attempts(
    'other kernel called',
    'kernel',
    FREE_NAMES.map((name) => [JSON.stringify(name), at(KERNEL, () => [file(name)])] as const),
  ),
  ...attempts(
    'other initrd called',
    'kernel',
    FREE_NAMES.map((name) => [JSON.stringify(name), at(INITRD, () => [file(name)])] as const),
  ),
  ...attempts('file of the boot loader', 'kernel', [
    ['kernel and initrd with the digest of each other', swappedDigests],
    ['no initrd', (events) => events.filter((one) => !INITRD(one))],
    ['an empty kernel', at(KERNEL, (one) => [event(9, textOf(one.raw), '')])],
    [
      'its name measured in place of it',
      at(KERNEL, (one) => [event(9, textOf(one.raw), textOf(one.raw))]),
    ],
  ]),
  ...attempts('image', 'kernel', [
    [
      'a further one',
      behind(event(4, '', 'an image', eventTypes.EV_EFI_BOOT_SERVICES_APPLICATION)),
    ],
    ['a driver', behind(event(4, '', 'a driver', eventTypes.EV_EFI_BOOT_SERVICES_DRIVER))],
    ['a file of a boot loader', behind(event(4, 'x', 'x'))],
    ['the first one twice', at(isImage, (one) => [one, one])],
    ['the first one missing', at(isImage, () => [])],
    [
      'the last one first',
      (events) =>
        [...events.filter(isImage).slice(-1), ...events].filter(
          (one, place) => place === 0 || one !== events.findLast(isImage),
        ),
    ],
  ]),
  ...attempts('image of a type', 'events', [
    ['of runtime drivers', behind(event(4, '', 'x', eventTypes.EV_EFI_RUNTIME_SERVICES_DRIVER))],
    ['of firmware', behind(event(4, '', 'x', eventTypes.EV_EFI_PLATFORM_FIRMWARE_BLOB))],
    ['of nothing', behind(event(4, '', 'x', 0x7fff))],
  ]),
]
