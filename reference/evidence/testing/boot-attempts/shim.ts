import { eventTypes } from '../../uefi/log/event-types.ts'
import { textOf } from '../../uefi/log/text-of.ts'
import { at, behind, type Event, event } from '../forged-boot.ts'
import { type Attempt, attempts } from './attempt.ts'

const isOf14 = ({ pcr, untrustedType }: Event) => pcr === 14 && untrustedType === eventTypes.EV_IPL
const first14 = (change: (name: string) => string) =>
  at(isOf14, (one) => [
    { ...one, raw: new Uint8Array(Buffer.from(change(textOf(one.raw)), 'latin1')) },
  ])

const MOK_NAMES: readonly (readonly [string, (name: string) => string])[] = [
  ['in small letters', (name) => name.toLowerCase()],
  ['in capitals', (name) => name.toUpperCase()],
  ['as MokListRT', () => 'MokListRT\0'],
  ['as MokListXRT', () => 'MokListXRT\0'],
  ['as SbatLevel', () => 'SbatLevel\0'],
  ['as MokListTrusted', () => 'MokListTrusted\0'],
  ['as MokSBState', () => 'MokSBState\0'],
  ['as MokDBState', () => 'MokDBState\0'],
  ['with two zeros', (name) => `${name}\0`],
  ['with a blank', (name) => name.replace('\0', ' \0')],
  ['with a letter behind the zero', (name) => `${name}x`],
  ['in UTF-16', (name) => [...name].join('\0')],
  ['without a name', () => ''],
  ['of a zero', () => '\0'],
]

export const SHIM: readonly Attempt[] = [
  ...attempts(
    'list of shim relabelled',
    'mok',
    MOK_NAMES.map(([what, change]) => [what, first14(change)] as const),
  ),
  ...attempts('list of shim', 'mok', [
    ['with another digest', at(isOf14, (one) => [event(14, textOf(one.raw), 'x')])],
    ['empty', at(isOf14, (one) => [event(14, textOf(one.raw), '')])],
    [
      'of which the name was measured',
      at(isOf14, (one) => [event(14, textOf(one.raw), textOf(one.raw))]),
    ],
    ['twice', at(isOf14, (one) => [one, one])],
    ['with another in front', at(isOf14, (one) => [event(14, textOf(one.raw), 'x'), one])],
    ['with trust of two', behind(event(14, 'MokListTrusted\0', '\u0002'))],
    ['with a further list behind', behind(event(14, 'MokListNew\0', 'x'))],
    [
      'in the other order',
      (events) => {
        const lists = events.filter(isOf14)
        if (lists.length < 2) throw new Error('no such event')
        return [...events.filter((one) => !isOf14(one)), ...lists.toReversed()]
      },
    ],
  ]),
  ...attempts('list of shim of a type', 'events', [
    ['of tags', at(isOf14, (one) => [{ ...one, untrustedType: eventTypes.EV_EVENT_TAG }])],
    ['of actions', at(isOf14, (one) => [{ ...one, untrustedType: eventTypes.EV_ACTION }])],
  ]),
]
