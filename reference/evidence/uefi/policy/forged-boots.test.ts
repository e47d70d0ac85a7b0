import { describe, expect, test } from 'vitest'
import {
  at,
  behind,
  CONFIG,
  type Edit,
  EVIL,
  type Event,
  event,
  evilFile,
  evilMok,
  found,
  isImage,
  isLine,
  isMok,
  isNamed,
  isVariable,
  LOADED_MORE,
  LOGS,
  lineOf,
  load,
} from '../../testing/forged-boot.ts'
import { absent, WHY_SKIPPED } from '../../testing/real-data.ts'
import { variableOf } from '../../testing/written-log.ts'
import { eventTypes } from '../log/event-types.ts'
import { textOf } from '../log/text-of.ts'

/** The machine booted with another command line, under this label; then a program extended PCR 8 by the good one. */
function relabelled(label: (line: string) => string, type?: number): Edit {
  return (events) => {
    const good = events.find(isLine)
    const hidden = at(isLine, (one) => {
      const evil = `${lineOf(one)} ${EVIL}`
      return [event(8, label(evil), evil, type)]
    })
    return [...hidden(events), ...(good ? [good] : [])]
  }
}

const NAMES = [/grub\.cfg/, /vmlinuz/, /initr/] as const

const FORGED: readonly (readonly [what: string, check: string, edit: Edit])[] = [
  ...(['grub_cmd: ', 'grub_cmd ', 'module_cmdline: ', ''] as const).flatMap((label) =>
    ['', '\0'].map(
      (end) =>
        [
          `another command line under the label ${JSON.stringify(label + end)}`,
          'kernel',
          relabelled((line) => `${label}${line}${label === '' ? '' : end}`),
        ] as const,
    ),
  ),
  [
    'another command line as a command',
    'kernel',
    relabelled((line) => `grub_cmd: linux ${line}\0`),
  ],
  ['another command line under no known label', 'kernel', relabelled(() => 'kernel_cmd: \0')],
  [
    'another command line of an unknown type',
    'events',
    relabelled((line) => line, eventTypes.EV_EVENT_TAG),
  ],
  ...['linux', 'linuxefi', 'linux16', 'multiboot2', 'legacy_kernel'].map(
    (command) =>
      [
        `a command ${command} for another kernel`,
        'kernel',
        at(isLine, (one) => {
          const started = `${command} ${lineOf(one)} ${EVIL}`
          return [event(8, `grub_cmd: ${started}\0`, started), one]
        }),
      ] as const,
  ),
  [
    'a good command line with an evil one behind',
    'kernel',
    behind(event(8, `/v ${EVIL}`, `/v ${EVIL}`)),
  ],
  [
    'no command line but that of a command',
    'kernel',
    at(isLine, (one) => [event(8, `grub_cmd: linux ${lineOf(one)}\0`, `linux ${lineOf(one)}`)]),
  ],
  ...NAMES.flatMap((name) => [
    [
      `another kernel under a name like ${name.source}, before it`,
      'kernel',
      at(isNamed(name), (one) => [evilFile(textOf(one.raw)), one]),
    ] as const,
    [
      `another kernel in place of ${name.source}, which is extended later`,
      'kernel',
      ((events) => {
        const good = events.find(isNamed(name))
        const swapped = at(isNamed(name), (one) => [evilFile(textOf(one.raw))])
        return [...swapped(events), ...(good ? [good] : [])]
      }) satisfies Edit,
    ] as const,
  ]),
  [
    'another kernel under a free name',
    'kernel',
    at(isNamed(/vmlinuz/), (one) => [evilFile('/x\0'), one]),
  ],
  ['another kernel without a name', 'kernel', at(isNamed(/vmlinuz/), (one) => [evilFile(''), one])],
  ['another kernel as a tag', 'kernel', behind(evilFile('Linux', eventTypes.EV_EVENT_TAG))],
  ['another kernel of an unknown type', 'events', behind(evilFile('x', eventTypes.EV_ACTION))],
  ['no kernel', 'kernel', (events) => events.filter((each) => !isNamed(/vmlinuz/)(each))],
]

function emptied(one: Event, vendor: 'global' | 'security', name: string): Event {
  const data = textOf(variableOf(vendor, name, new Uint8Array()))
  return event(7, data, data, one.untrustedType)
}

const SECURE = textOf(variableOf('global', 'SecureBoot', Uint8Array.of(1)))

/** Everything of PCR 7 is as its digests say; only what is extended later is invented. */
const FORGED_KEYS: readonly (readonly [what: string, edit: Edit])[] = [
  [
    'an empty dbx, with the full one extended behind the separator',
    (events) => {
      const full = events.filter(isVariable('dbx'))
      const hidden = at(isVariable('dbx'), (one) => [emptied(one, 'security', 'dbx')])
      return [...hidden(events), ...full]
    },
  ],
  [
    'dbx behind the separator alone',
    (events) => [
      ...events.filter((each) => !isVariable('dbx')(each)),
      ...events.filter(isVariable('dbx')),
    ],
  ],
  ['dbx in two parts', at(isVariable('dbx'), (one) => [emptied(one, 'security', 'dbx'), one])],
  ['db twice', at(isVariable('db'), (one) => [one, one])],
  ['PK behind the separator', (events) => [...events, ...events.filter(isVariable('PK'))]],
  ['KEK twice', at(isVariable('KEK'), (one) => [emptied(one, 'global', 'KEK'), one])],
  ['SecureBoot behind the separator', behind(event(7, SECURE, SECURE, CONFIG))],
]

/** The members of a state that names one list of shim only. */
const ONE_LIST = { MokList: { mokxdig: undefined }, MokListX: { mokdig: undefined } } as const

const FORGED_LISTS: readonly (readonly [what: string, named: keyof typeof ONE_LIST, edit: Edit])[] =
  [
    [
      'another MokList as MokListX',
      'MokList',
      at(isMok('MokList'), (one) => [evilMok('MokListX'), one]),
    ],
    [
      'another MokList as MokListX, and the good one behind',
      'MokList',
      (events) => {
        const good = events.filter(isMok('MokList'))
        return [...at(isMok('MokList'), () => [evilMok('MokListX')])(events), ...good]
      },
    ],
    [
      'another MokList as MokListX, and no MokList',
      'MokList',
      at(isMok('MokList'), () => [evilMok('MokListX')]),
    ],
    ['MokList twice', 'MokList', at(isMok('MokList'), (one) => [one, one])],
    ['no list at all', 'MokList', (events) => events.filter(({ pcr }) => pcr !== 14)],
    [
      'another MokListX as MokList',
      'MokListX',
      at(isMok('MokListX'), (one) => [evilMok('MokList'), one]),
    ],
    [
      'another MokListX as MokList, and the good one behind',
      'MokListX',
      (events) => {
        const good = events.filter(isMok('MokListX'))
        return [...at(isMok('MokListX'), () => [evilMok('MokList')])(events), ...good]
      },
    ],
    [
      'MokListX before MokList',
      'MokListX',
      (events) => [
        ...events.filter(isMok('MokListX')),
        ...events.filter((each) => !isMok('MokListX')(each)),
      ],
    ],
  ]

describe.skipIf(absent)(
  `a boot that a program forged under the state of a real one${WHY_SKIPPED}`,
  () => {
    test.each(LOADED_MORE)('another image in any place of %s does not pass', (file) => {
      const log = load(file)
      expect(found(log, (events) => events)).toEqual([])
      const images = log.events.filter(isImage).length
      expect(images).toBeGreaterThan(3)
      for (let place = 0; place < images; place++) {
        const { digests } = event(4, '', 'another image')
        let count = -1
        const swapped: Edit = (events) =>
          events.map((one) => {
            if (isImage(one)) count += 1
            return isImage(one) && count === place ? { ...one, digests } : one
          })
        expect(found(log, swapped)).toEqual(['kernel'])
      }
    })

    test.each(['EV_IPL', 'EV_EFI_BOOT_SERVICES_DRIVER'] as const)(
      'an image of type %s does not pass where no image was loaded',
      (type) => {
        const log = load('tpm2-tools/test/integration/fixtures/event-sd-boot-fedora37.bin')
        expect(found(log, (events) => events)).toEqual([])
        expect(found(log, behind(event(4, '', 'an image', eventTypes[type])))).toEqual(['kernel'])
      },
    )

    test.each(LOGS)('of %s no event of PCR 4, 7, 8, 9 or 14 can be another one', (file) => {
      const log = load(file)
      const { digests } = event(0, '', 'another event')
      const types = [undefined, eventTypes.EV_IPL, eventTypes.EV_EFI_ACTION, CONFIG]
      const judged = log.events.filter(
        ({ pcr, untrustedType }) =>
          [4, 7, 8, 9, 14].includes(pcr) && untrustedType !== eventTypes.EV_NO_ACTION,
      )
      const passing = judged.flatMap((one) =>
        types.filter((type) => {
          const other = { ...one, digests, untrustedType: type ?? one.untrustedType }
          const edit: Edit = (events) => events.map((each) => (each === one ? other : each))
          return found(log, edit).length === 0
        }),
      )
      expect(passing).toEqual([])
    })

    test.each(LOGS)('%s passes as it is', (file) => {
      expect(found(load(file), (events) => events)).toEqual([])
    })

    test.each(FORGED)('%s does not pass in any of them', (_, check, edit) => {
      for (const file of LOGS) expect([file, ...found(load(file), edit)]).toContain(check)
    })

    test.each(FORGED_KEYS)('%s does not pass in any of them', (_, edit) => {
      for (const file of LOGS.slice(0, 3))
        expect([file, ...found(load(file), edit)]).toContain('variables-once')
    })

    test.each(['00000000', 'ffffffff'])('a second separator of %s does not pass', (hex) => {
      const text = textOf(new Uint8Array(Buffer.from(hex, 'hex')))
      for (const pcr of [0, 4, 7])
        expect(
          found(load(LOGS[0]), behind(event(pcr, text, text, eventTypes.EV_SEPARATOR))),
        ).toContain('separators')
    })

    test.each(FORGED_LISTS)('%s does not pass where only %s is in the state', (_, named, edit) => {
      for (const file of LOGS.slice(0, 3)) {
        expect(found(load(file), (events) => events, ONE_LIST[named])).toEqual([])
        expect([file, ...found(load(file), edit, ONE_LIST[named])]).toContain('mok')
      }
    })
  },
)
