import { eventTypes } from '../../uefi/log/event-types.ts'
import { textOf } from '../../uefi/log/text-of.ts'
import { at, behind, CONFIG, type Edit, type Event, event, isVariable } from '../forged-boot.ts'
import { variableOf } from '../written-log.ts'
import { type Attempt, attempts } from './attempt.ts'
import {
  bitTurned,
  CERTIFICATE,
  changedVariable,
  contentOf,
  eachEntry,
  HEAD,
  relisted,
  strangeList,
} from './signature-lists.ts'

const DATABASES = [
  ['PK', 'global'],
  ['KEK', 'global'],
  ['db', 'security'],
] as const

export const KEYS: readonly Attempt[] = [
  ...DATABASES.flatMap(([name, vendor]) =>
    attempts(`key in ${name}`, name.toLowerCase(), [
      [
        'a further one behind',
        changedVariable(
          name,
          vendor,
          relisted((all) => [...all, strangeList()]),
        ),
      ],
      [
        'a further one in front',
        changedVariable(
          name,
          vendor,
          relisted((all) => [strangeList(), ...all]),
        ),
      ],
      [
        'another in place of all',
        changedVariable(
          name,
          vendor,
          relisted(() => [strangeList()]),
        ),
      ],
      [
        'one with its last byte turned',
        changedVariable(
          name,
          vendor,
          eachEntry((entry) => [bitTurned(entry, entry.length - 1)]),
        ),
      ],
      [
        'the same of another owner',
        changedVariable(
          name,
          vendor,
          eachEntry((entry) => [bitTurned(entry, 9)]),
        ),
      ],
      ['not measured', (events) => dropped(events, isVariable(name))],
    ]),
  ),
  ...attempts('Secure Boot', 'secure-boot', [
    ...[[0], [2], [1, 1], [0xff], [], [0, 1]].map(
      (bytes) =>
        [
          `of the value ${Buffer.from(bytes).toString('hex') || 'nothing'}`,
          secure(Uint8Array.from(bytes)),
        ] as const,
    ),
    ['not measured', (events) => dropped(events, isVariable('SecureBoot'))],
  ]),
  ...attempts('variable measured otherwise than logged:', 'data-proven', [
    ...['SecureBoot', 'PK', 'KEK', 'db', 'dbx'].map(
      (name) =>
        [name, at(isVariable(name), (one) => [event(7, textOf(one.raw), 'x', CONFIG)])] as const,
    ),
  ]),
]

/** The other value of Secure Boot; a boot without it cannot be told from one with such a value. */
function secure(value: Uint8Array): Edit {
  return (events) => {
    const one = events.find(isVariable('SecureBoot'))
    if (!one || contentOf(one, 'SecureBoot')[0] !== 1) throw new Error('no such event')
    return changedVariable('SecureBoot', 'global', () => value)(events)
  }
}

function dropped(events: readonly Event[], matches: (event: Event) => boolean): readonly Event[] {
  const one = events.find(matches)
  // What is empty, or was off, is not missed.
  if (!one || one.raw.length <= HEAD + 8 || one.raw.at(-1) === 0) throw new Error('no such event')
  return events.filter((each) => each !== one)
}

const AUTHORITY = eventTypes.EV_EFI_VARIABLE_AUTHORITY

function authority(vendor: 'global' | 'security' | 'shim', name: string, value: Uint8Array): Edit {
  const data = textOf(variableOf(vendor, name, value))
  return behind(event(7, data, data, AUTHORITY))
}

export const AUTHORITIES: readonly Attempt[] = attempts('authority', 'authorities', [
  ['a foreign key of db', authority('security', 'db', CERTIFICATE)],
  ['an owner without a key', authority('security', 'db', CERTIFICATE.subarray(0, 16))],
  ['nothing of db', authority('security', 'db', new Uint8Array())],
  ['a foreign key of db under another vendor', authority('global', 'db', CERTIFICATE)],
  ['a foreign key of dbt', authority('security', 'dbt', CERTIFICATE)],
  ['a foreign key of DB', authority('security', 'DB', CERTIFICATE)],
  ['a key of MokListRT', authority('shim', 'MokListRT', CERTIFICATE)],
  ['a key of no name', authority('shim', '', CERTIFICATE)],
  ['a key of PK', authority('global', 'PK', CERTIFICATE)],
])
