import { remeasured } from '../../../../../simulator/platform/edit-events.ts'
import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { filled, text, u16le, u32le } from '../../../../../simulator/tpm/write.ts'
import { zeroEnded } from '../../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import { GUIDS } from '../../../../../simulator/uefi/guid.ts'
import { eventOf, measures } from '../../../../../simulator/uefi/measured-event.ts'
import { variable } from '../../../../../simulator/uefi/profiles/profile.ts'
import type { NearMiss } from '../near-miss.ts'
import { booted, FORM, replaced } from './evidence.ts'

const ROW = 'VER-EVIDENCE-BOOT-JUDGES'

function row(sends: string, events: EditEvents, breaks?: string): NearMiss {
  return { sends, ...(breaks && { breaks }), evidence: () => booted({ events }) }
}

const grubCommand = (says: string) =>
  eventOf(measures(8, 'IPL', zeroEnded(`grub_cmd: ${says}`), text(says)), FORM.banks)

const bootVariable = (name: string, data: Uint8Array) =>
  eventOf(variable(1, 'EFI_VARIABLE_BOOT', GUIDS.globalVariable, name, data), FORM.banks)

/** Commands that start no kernel, which no policy names. */
const COMMANDS = [
  ...['timeout=5', '[ -s (hd0,gpt2)/grubenv ]', '! true', '. (hd0,gpt2)/more.cfg', 'boot'],
  'echo Loading linux 6.1.0 ...',
]

/** No digest covers the label of a text: the log calls the command line of a further kernel a command. */
const STARTED = ['linux', 'multiboot', 'module'].map((start) =>
  row(
    `a further kernel that grub starts by "${start}" with a command line that is called a command`,
    (events) => [
      ...events,
      ...[`${start} vmlinuz init=/bin/sh`, 'vmlinuz init=/bin/sh'].map(grubCommand),
    ],
    ROW,
  ),
)

/** The firmware measured something else than what its log says in these events. */
const UNPROVEN = (
  [
    ['an action', EV.EFI_ACTION, text('UEFI Debug Mode')],
    ['a separator', EV.SEPARATOR, u32le(1)],
  ] as const
).map(([says, wanted, content]) =>
  row(
    `${says} of PCR 4 with the digest of another`,
    replaced(
      ({ pcr, type }) => pcr === 4 && type === wanted,
      (one) => [{ ...one, digests: remeasured(one, content).digests }],
    ),
    ROW,
  ),
)

export const LOADERS: readonly NearMiss[] = [
  row('commands of grub that start no kernel', (events) => [
    ...COMMANDS.map(grubCommand),
    ...events,
  ]),
  ...STARTED,
  row(
    'a further command line that is called a command',
    (events) => [...events, grubCommand('(hd0,gpt2)/vmlinuz-6.1.0 init=/bin/sh')],
    ROW,
  ),
  ...UNPROVEN,
  row('boot variables that are no boot option', (events) => [
    bootVariable('BootNext', u16le(2)),
    bootVariable('LastBoot0001', filled(1, 1)),
    ...events,
  ]),
]
