import { hashes } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import { runChecks } from '../check.ts'
import { eventTypes } from '../uefi/log/event-types.ts'
import { type BootEvent, type BootLog, parseBootLog } from '../uefi/log/parse-log.ts'
import { textOf } from '../uefi/log/text-of.ts'
import { sortEvents } from '../uefi/policy/boot-policy-case.ts'
import { bootPolicyChecks } from '../uefi/policy/boot-policy-checks.ts'
import { deriveState } from '../uefi/policy/derive-state.ts'
import { parseReferenceState, type ReferenceState } from '../uefi/policy/reference-state.ts'
import { real } from './real-data.ts'
import { bytesOf } from './written-log.ts'

/** Boots with a command line, a kernel and an initrd, and what each of them lacks. */
export const LOGS = [
  'keylime-perf-tests/data/uefi_log.txt',
  'keylime/test/data/create-mb-policy/binary_bios_measurements',
  'keylime/test/data/create-mb-policy/binary_bios_measurements-secureboot',
  'uefi-eventlog-rs/test_assets/bootlog',
  'tpm2-tools/test/integration/fixtures/event-bootorder.bin',
] as const

/** Boots that loaded more images than the members of upstream's states name. */
export const LOADED_MORE = [
  'keylime/test/data/mb_log.b64',
  'go-eventlog/testdata/eventlogs/tpm/cos-101-amd-sev.bin',
  'tpm2-tools/test/integration/fixtures/event-moklisttrusted.bin',
] as const

export const isImage = ({ pcr, untrustedType }: Event) =>
  pcr === 4 && untrustedType === eventTypes.EV_EFI_BOOT_SERVICES_APPLICATION

const logs = new Map<string, BootLog>()

/** The boot log of a file, which is parsed once. */
export function load(file: string): BootLog {
  const log = logs.get(file) ?? parsed(file)
  logs.set(file, log)
  return log
}

function parsed(file: string): BootLog {
  const bytes = real(file)
  const text = /\.(?:txt|b64)$/.test(file)
  return parseBootLog(
    text ? new Uint8Array(Buffer.from(Buffer.from(bytes).toString(), 'base64')) : bytes,
  )
}

export type Event = Omit<BootEvent, 'number'>
export type Edit = (events: readonly Event[]) => readonly Event[]

const states = new Map<string, ReferenceState>()
const derived = new WeakMap<BootLog, Readonly<Record<string, unknown>>>()

/** The state of a log, which is derived and read once. */
function stateOf(log: BootLog, change: object): ReferenceState {
  const members = derived.get(log) ?? deriveState(log).state
  derived.set(log, members)
  const text = JSON.stringify({ ...members, ...change })
  const state = states.get(text) ?? parseReferenceState(text)
  states.set(text, state)
  return state
}

/** Checks that find something in a boot with these events, under the state that was derived from the boot without. */
export function found(log: BootLog, edit: Edit, change: object = {}): readonly unknown[] {
  const policy = { name: 'example', state: stateOf(log, change) } as const
  const events = edit(log.events).map((event, number) => ({ ...event, number }))
  const boot = { policy, ...sortEvents({ ...log, events }, hashes.sha256) }
  const asked = bootPolicyChecks.filter(({ of }) => of.includes('example'))
  return runChecks(asked, boot).map(({ context }) => String(context['check']).split('.')[1])
}

/** An event whose digest is of a text, or of what is given. */
export function event(
  pcr: number,
  says: string,
  measured: string,
  type: number = eventTypes.EV_IPL,
) {
  const digests = new Map([['sha256', digestOf(hashes.sha256, bytesOf(measured))]])
  return { pcr, untrustedType: type, digests, raw: bytesOf(says) }
}

export const isLine = ({ raw }: Event) => textOf(raw).startsWith('kernel_cmdline: ')
export const isNamed = (name: RegExp) => (each: Event) =>
  each.pcr === 9 && name.test(textOf(each.raw))

/** Replaces the first event that matches. */
export function at(
  matches: (event: Event) => boolean,
  put: (event: Event) => readonly Event[],
): Edit {
  return (events) => {
    const place = events.findIndex(matches)
    const one = events[place]
    if (!one) throw new Error('no such event')
    return events.toSpliced(place, 1, ...put(one))
  }
}

export const behind =
  (...more: readonly Event[]): Edit =>
  (events) => [...events, ...more]

export function lineOf({ raw }: Event): string {
  return textOf(raw)
    .replace(/^kernel_cmdline: /, '')
    .replace(/\0$/, '')
}

export const EVIL = 'init=/bin/sh'

export const evilFile = (name: string, type?: number) => event(9, name, 'another kernel', type)

export const CONFIG = eventTypes.EV_EFI_VARIABLE_DRIVER_CONFIG

/** A variable of the firmware in PCR 7, and its separator. */
export const isVariable = (name: string) => (each: Event) =>
  each.pcr === 7 &&
  each.untrustedType === CONFIG &&
  textOf(each.raw.subarray(32, 32 + 2 * name.length)) === [...name].join('\0').concat('\0') &&
  each.raw[16] === name.length

export const isMok = (name: string) => (each: Event) =>
  each.pcr === 14 && textOf(each.raw) === `${name}\0`
export const evilMok = (name: string) => event(14, `${name}\0`, 'another list')
