import type { PullMachine } from '../machine/pull-machine.ts'
import type { Misbehaviour, Results } from './misbehaviour.ts'

const LIST = 'ima_measurement_list'
const ENTRY = 'ima_measurement_list_entry'
const BOOT_LOG = 'mb_measurement_list'

/** Measures again a file that the machine has run and its policy allows. */
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

/** Defects of the logs in a quote reply, and harmless variations. */
export const LIST_MISBEHAVIOURS = {
  'grown-list': {
    what: 'nothing wrong: its list has a new entry, which its policy allows',
    happens: measureAgain,
  },
  'growing-list': {
    what: 'nothing wrong: its list has a new entry, and grows after each of its quotes',
    happens: measureAgain,
    returns: async (honest, { machine }) => {
      await measureAgain(machine)
      return honest
    },
  },
  'whole-list': {
    what: 'nothing wrong: it returns its whole list and says so',
    returns: (honest, { machine }) => ({ ...honest, [LIST]: textFrom(machine, 0), [ENTRY]: 0 }),
  },
  'frozen-list': {
    what: 'its list lacks the last measurement',
    happens: measureAgain,
    returns: (honest) => ({ ...honest, [LIST]: withoutLast(String(honest[LIST]), 1) }),
  },
  'shorter-list': {
    what: 'it returns its list from the beginning, with fewer entries than before',
    returns: (honest, { machine }) => ({
      ...honest,
      [LIST]: withoutLast(textFrom(machine, 0), 5),
      [ENTRY]: 0,
    }),
  },
  'offset-ignored': {
    what: 'it returns its whole list as if it were the requested part',
    happens: measureAgain,
    returns: (honest, { machine, entry }) => ({
      ...honest,
      [LIST]: textFrom(machine, 0),
      [ENTRY]: entry,
    }),
  },
  'offset-beyond': {
    what: 'its list begins after the requested entry',
    returns: (honest, { entry }) => ({ ...honest, [LIST]: '', [ENTRY]: entry + 5 }),
  },
  'no-list': { what: 'it quotes PCR 10 and returns no list', returns: withoutLists },
  'broken-list': {
    what: 'a line of its list is cut in the middle',
    happens: measureAgain,
    returns: (honest) => ({ ...honest, [LIST]: String(honest[LIST]).slice(0, 60) }),
  },
  'no-boot-log': {
    what: 'it returns no boot log though PCR 0 is requested',
    returns: (honest) =>
      Object.fromEntries(Object.entries(honest).filter(([name]) => name !== BOOT_LOG)),
  },
  'boot-log-altered': {
    what: 'one digest of its boot log is altered',
    returns: (honest) => {
      const bytes = Buffer.from(String(honest[BOOT_LOG]), 'base64')
      // The digests of the second event are within the first four hundred bytes.
      const at = 140
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return { ...honest, [BOOT_LOG]: bytes.toString('base64') }
    },
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>

const DIGEST = Uint8Array.from({ length: 32 }, (_, at) => at)

/** Changes of the machine itself, which the agent then reports correctly. */
export const MACHINE_MISBEHAVIOURS = {
  reboot: {
    what: 'nothing wrong: it was rebooted, and ran a file twice more since',
    happens: async (machine) => {
      await machine.reboot()
      await measureAgain(machine)
      await measureAgain(machine)
    },
  },
  suspend: {
    what: 'nothing wrong: it was suspended and resumed',
    happens: (machine) => machine.suspend(),
  },
  'unknown-file': {
    what: 'it ran a file that its policy does not list',
    happens: (machine) => machine.measure('/usr/local/bin/unknown', DIGEST),
  },
  'changed-file': {
    what: 'it ran a file that its policy lists with another content',
    happens: (machine) => machine.measure('/usr/bin/bash', DIGEST),
  },
  'file-violated': {
    what: 'a file of its policy was written while it was measured',
    happens: (machine) => machine.violate('/usr/bin/bash'),
  },
  'unlogged-measurement': {
    what: 'PCR 10 has an extension that is not in its list',
    happens: (machine) => machine.extend(10, DIGEST),
  },
  'extended-pcr': {
    what: 'PCR 23, which its static policy covers, was extended',
    happens: (machine) => machine.extend(23, DIGEST),
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>

/** Changes of the versions that an agent supports. */
export const VERSION_MISBEHAVIOURS = {
  upgraded: { what: 'nothing wrong: it supports 2.5 only from now on', serves: ['2.5'] },
  downgraded: { what: 'it supports 2.1 only from now on', serves: ['2.1'] },
  'unknown-version': { what: 'it supports only an undefined version', serves: ['9.9'] },
} as const satisfies Readonly<Record<string, Misbehaviour>>
