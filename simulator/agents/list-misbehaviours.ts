import type { PullMachine } from '../machine/pull-machine.ts'
import type { Misbehaviour, Results } from './misbehaviour.ts'

const LIST = 'ima_measurement_list'
const ENTRY = 'ima_measurement_list_entry'
const BOOT_LOG = 'mb_measurement_list'

/** A file is measured again that the machine ran already: its policy knows it. */
function measureAgain(machine: PullMachine): Promise<void> {
  const last = machine.ima.entries.at(-1)
  return last === undefined ? Promise.resolve() : machine.append(last)
}

function textFrom(machine: PullMachine, from: number): string {
  return Buffer.from(machine.ima.ascii(from)).toString()
}

function withoutLast(text: string, count: number): string {
  return text
    .split('\n')
    .slice(0, -1 - count)
    .concat('')
    .join('\n')
}

function withoutLists(results: Results): Results {
  return Object.fromEntries(
    Object.entries(results).filter(([name]) => name !== LIST && name !== ENTRY),
  )
}

/** What goes wrong with the logs beside a quote, and what only looks like it. */
export const LIST_MISBEHAVIOURS = {
  'grown-list': {
    what: 'nothing wrong: its list has a new entry, which its policy knows',
    happens: measureAgain,
  },
  'whole-list': {
    what: 'nothing wrong: it tells its whole list, and says so',
    tells: (truth, { machine }) => ({ ...truth, [LIST]: textFrom(machine, 0), [ENTRY]: 0 }),
  },
  'frozen-list': {
    what: 'its list does not have what was measured last',
    happens: measureAgain,
    tells: (truth) => ({ ...truth, [LIST]: withoutLast(String(truth[LIST]), 1) }),
  },
  'shorter-list': {
    what: 'it tells its list from the beginning, with fewer entries than before',
    tells: (truth, { machine }) => ({
      ...truth,
      [LIST]: withoutLast(textFrom(machine, 0), 5),
      [ENTRY]: 0,
    }),
  },
  'offset-ignored': {
    what: 'it tells its whole list as if it were the part that was asked for',
    happens: measureAgain,
    tells: (truth, { machine, entry }) => ({
      ...truth,
      [LIST]: textFrom(machine, 0),
      [ENTRY]: entry,
    }),
  },
  'offset-beyond': {
    what: 'its list begins later than it was asked for',
    tells: (truth, { entry }) => ({ ...truth, [LIST]: '', [ENTRY]: entry + 5 }),
  },
  'no-list': { what: 'it quotes PCR 10 and tells no list', tells: withoutLists },
  'broken-list': {
    what: 'a line of its list is cut in the middle',
    happens: measureAgain,
    tells: (truth) => ({ ...truth, [LIST]: String(truth[LIST]).slice(0, 60) }),
  },
  'no-boot-log': {
    what: 'it tells no boot log though PCR 0 is asked for',
    tells: (truth) =>
      Object.fromEntries(Object.entries(truth).filter(([name]) => name !== BOOT_LOG)),
  },
  'boot-log-altered': {
    what: 'one digest of its boot log is altered',
    tells: (truth) => {
      const bytes = Buffer.from(String(truth[BOOT_LOG]), 'base64')
      // The digests of the second event stand within the first four hundred bytes.
      const at = 140
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return { ...truth, [BOOT_LOG]: bytes.toString('base64') }
    },
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>

const DIGEST = Uint8Array.from({ length: 32 }, (_, at) => at)

/** What happens to the machine itself; the agent then tells the truth about it. */
export const MACHINE_MISBEHAVIOURS = {
  reboot: { what: 'nothing wrong: it was booted again', happens: (machine) => machine.reboot() },
  suspend: {
    what: 'nothing wrong: it slept and woke up',
    happens: (machine) => machine.suspend(),
  },
  'unknown-file': {
    what: 'it ran a file that its policy does not know',
    happens: (machine) => machine.measure('/usr/local/bin/unknown', DIGEST),
  },
  'changed-file': {
    what: 'it ran a file that its policy knows with another content',
    happens: (machine) => machine.measure('/usr/bin/bash', DIGEST),
  },
  'unlogged-measurement': {
    what: 'something was measured into PCR 10 of which its list knows nothing',
    happens: (machine) => machine.extend(10, DIGEST),
  },
  'extended-pcr': {
    what: 'something was measured into PCR 23, of which its static policy speaks',
    happens: (machine) => machine.extend(23, DIGEST),
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>

/** What changes in the versions that an agent speaks. */
export const VERSION_MISBEHAVIOURS = {
  upgraded: { what: 'nothing wrong: it speaks 2.5 alone from now on', serves: ['2.5'] },
  downgraded: { what: 'it speaks 2.1 alone from now on', serves: ['2.1'] },
  'unknown-version': { what: 'it speaks a version alone that nobody knows', serves: ['9.9'] },
} as const satisfies Readonly<Record<string, Misbehaviour>>
