import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { UEFI_FAULTS } from '../../../simulator/faults/uefi/known-uefi-faults.ts'
import type { UefiFault } from '../../../simulator/faults/uefi/uefi-fault.ts'
import { remeasured } from '../../../simulator/platform/edit-events.ts'
import { eventsOf, withAggregate } from '../../../simulator/platform/scripted-boot.ts'
import { HASHES } from '../../../simulator/tpm/hash.ts'
import { cat, filled } from '../../../simulator/tpm/write.ts'
import { EV } from '../../../simulator/uefi/event-types.ts'
import type { UefiEvent } from '../../../simulator/uefi/log.ts'
import { otherEvents } from '../../../simulator/uefi/log-overrides.ts'
import { PROFILES } from '../../../simulator/uefi/profiles/known-profiles.ts'
import { cutShort, mutateBytes, oneOf, turnBit } from '../mutate-bytes.ts'
import type { Mutation } from '../stages.ts'
import { type Events, type Head, measured, mutated, withData } from './edit-boot.ts'
import { FURTHER_MUTATIONS } from './further-events.ts'

/** Fewer PCRs are quoted, with their true values. */
function quotes(
  head: Head,
  change: (pcrs: readonly number[], random: SeededRandom) => readonly number[],
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => {
      const { boot } = machine
      return boot ? { ...machine, boot: { ...boot, quoted: change(boot.quoted, random) } } : machine
    },
  }
}

/** The log in other bytes. */
function log(head: Head, change: (log: Uint8Array, random: SeededRandom) => Uint8Array): Mutation {
  return {
    ...head,
    stage: 'parts',
    change: (parts, random) => {
      const { bootLog } = parts
      return bootLog === undefined ? parts : { ...parts, bootLog: mutated(bootLog, random, change) }
    },
  }
}

/** The log tells other events than were measured. */
function told(head: Head, change: (events: Events, random: SeededRandom) => Events): Mutation {
  return log(head, (bytes, random) => otherEvents((events) => change(events, random))(bytes))
}

/** One event changed. */
function oneEvent(change: (event: UefiEvent, random: SeededRandom) => UefiEvent) {
  return (events: Events, random: SeededRandom): Events => {
    const at = random.below(Math.max(1, events.length))
    return events.map((event, index) => (index === at ? change(event, random) : event))
  }
}

function without(events: Events, random: SeededRandom): Events {
  return events.toSpliced(random.below(Math.max(1, events.length)), 1)
}

function doubled(events: Events, random: SeededRandom): Events {
  const at = random.below(Math.max(1, events.length))
  return events.toSpliced(random.below(events.length + 1), 0, ...events.slice(at, at + 1))
}

function swapped(events: Events, random: SeededRandom): Events {
  const at = random.below(Math.max(1, events.length - 1))
  return events.toSpliced(at, 2, ...events.slice(at, at + 2).toReversed())
}

/** How the finding describes the evidence; a fault is a clause of its own. */
function faultHead({ name, what, outcome }: UefiFault): Head {
  const fails = outcome === 'refused' || outcome === 'policy' || outcome === 'fails'
  return {
    id: `${name.replace(/^uefi-/, 'boot.')}`,
    what: `is of a boot that differs (${what})`,
    ...(fails && { breaks: 'boot-fault' }),
  }
}

/** A fault that is neither: the list of the kernel began elsewhere. */
function untied(head: Head): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => ({
      ...machine,
      measured: withAggregate(machine.measured, random.bytes(32)),
    }),
  }
}

function mutationOf(fault: UefiFault): Mutation {
  const head = faultHead(fault)
  const { firmware, mutations } = fault
  if (firmware !== undefined) return measured(head, firmware)
  const mutateAttest = mutations.uefi
  return mutateAttest === undefined ? untied(head) : log(head, mutateAttest)
}

/** Every named fault of a firmware log, apart from those for which everybody else would have to wait. */
const NAMED: readonly Mutation[] = UEFI_FAULTS.filter(({ huge }) => huge === undefined).map(
  mutationOf,
)

const SOME_TYPES = [...Object.values(EV), 0x14, 0x80000099, 0xffffffff]
const SOME_PCRS = [0, 1, 4, 7, 8, 14, 16, 23, 24, 0xffffffff]

function digestOfMutated(event: UefiEvent, random: SeededRandom): UefiEvent {
  const { alg } = HASHES.sha256
  return {
    ...event,
    digests: new Map(event.digests).set(
      alg,
      turnBit(event.digests.get(alg) ?? filled(HASHES.sha256.size), random),
    ),
  }
}

const CHANCE: readonly Mutation[] = [
  measured(
    { id: 'firmware.other', what: 'is of a machine that other firmware booted' },
    (_, random) => eventsOf(oneOf(PROFILES, random)),
  ),
  measured(
    { id: 'firmware.data', what: 'shows that the firmware measured other data' },
    oneEvent((event, random) => remeasured(event, mutateBytes(event.data, random))),
  ),
  measured(
    { id: 'firmware.content', what: 'shows that the firmware measured something else' },
    oneEvent((event, random) => withData(remeasured(event, random.bytes(32)), event.data)),
  ),
  measured({ id: 'firmware.without', what: 'shows that the firmware measured less' }, without),
  measured({ id: 'firmware.twice', what: 'shows that the firmware measured it again' }, doubled),
  measured(
    { id: 'firmware.order', what: 'shows that the firmware measured in another order' },
    swapped,
  ),
  measured(
    { id: 'firmware.type', what: 'shows that the firmware measured events of other types' },
    oneEvent((event, random) => ({ ...event, type: oneOf(SOME_TYPES, random) })),
  ),
  measured({ id: 'firmware.nothing', what: 'shows that the firmware measured nothing' }, () => []),
  quotes(
    {
      id: 'quoted.without',
      what: 'does not quote a PCR that its boot policy speaks of',
      breaks: 'boot-unquoted',
    },
    (pcrs, random) => {
      const left = oneOf([0, 4, 7], random)
      return pcrs.filter((pcr) => pcr !== left)
    },
  ),
  quotes({ id: 'quoted.fewer', what: 'quotes fewer PCRs of the firmware' }, (pcrs, random) =>
    pcrs.toSpliced(random.below(8), 1 + random.below(8)),
  ),
  told({ id: 'told.without', what: 'leaves an event of the firmware out' }, without),
  told({ id: 'told.twice', what: 'tells of an event of the firmware twice' }, doubled),
  told({ id: 'told.order', what: 'has two events of the firmware swapped' }, swapped),
  told(
    { id: 'told.type', what: 'tells of an event by another type' },
    oneEvent((event, random) => ({ ...event, type: oneOf(SOME_TYPES, random) })),
  ),
  told(
    { id: 'told.pcr', what: 'tells of an event in another PCR' },
    oneEvent((event, random) => ({ ...event, pcr: oneOf(SOME_PCRS, random) })),
  ),
  told(
    { id: 'told.data', what: 'tells of an event with other data' },
    oneEvent((event, random) => withData(event, mutateBytes(event.data, random))),
  ),
  told(
    { id: 'told.digest', what: 'tells of an event with another digest' },
    oneEvent(digestOfMutated),
  ),
  told({ id: 'told.many', what: 'tells of ten thousand events that inform' }, (events) => {
    const [{ digests } = { digests: new Map() }] = events
    const idle = { pcr: 0, type: EV.NO_ACTION, digests, data: filled(16) }
    return [...events, ...Array.from({ length: 10_000 }, () => idle)]
  }),
  log({ id: 'log.bit', what: 'has a bit turned in its firmware log' }, turnBit),
  log({ id: 'log.bytes', what: 'has mutated bytes in its firmware log' }, mutateBytes),
  log({ id: 'log.cut', what: 'has a firmware log that is cut off' }, cutShort),
  log({ id: 'log.longer', what: 'has bytes behind its firmware log' }, (bytes, random) =>
    cat(bytes, random.bytes(1 + random.below(64))),
  ),
  log({ id: 'log.noise', what: 'has noise for a firmware log' }, (_, random) =>
    random.bytes(random.below(4096)),
  ),
]

/** Mutations of the firmware log: the named faults of the simulator's machines, and what chance does to any log. */
export const EVENTLOG_MUTATIONS: readonly Mutation[] = [...NAMED, ...CHANCE, ...FURTHER_MUTATIONS]
