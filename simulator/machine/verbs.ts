import { readFile } from 'node:fs/promises'
import type { Fault } from '../faults/fault.ts'
import { FAULTS, faultByName } from '../faults/known-faults.ts'
import type { Measuring } from '../platform/measuring.ts'
import type { Powering } from '../platform/powering.ts'
import { scriptedBoot } from '../platform/scripted-boot.ts'
import { digest } from '../tpm/hash.ts'
import { fromHex, text, toHex } from '../tpm/write.ts'
import { PROFILES, profileByName } from '../uefi/profiles/known-profiles.ts'
import type { FirmwareProfile } from '../uefi/profiles/profile.ts'

/** A verb and its arguments, as in a line of a script. */
export type Step = readonly [verb: string, ...args: readonly string[]]

/** The parts of a machine that a script uses. */
export interface Scripted extends Measuring, Powering {
  /** Adds a fault to the machine. */
  addFault(fault: Fault): Promise<void>
}

/** Effect of a step whose arguments are valid. */
export type Action = (machine: Scripted) => Promise<unknown>

interface Verb {
  /** Arguments as the list of verbs shows them: a word each, in brackets if optional. */
  readonly takes: readonly string[]
  /** Checks the arguments. Throws RangeError with the problem and the correct form. */
  prepare(args: readonly string[]): Action
}

function bytesOfHex(hex: string, what: string): Uint8Array {
  if (/^([0-9a-f]{2})*$/i.test(hex)) return fromHex(hex)
  throw new RangeError(`${what} takes whole bytes in hexadecimal, like 00ff; got ${quote(hex)}`)
}

function pcrOf(word: string): number {
  if (/^\d{1,2}$/.test(word) && Number(word) < 24) return Number(word)
  throw new RangeError(`a PCR is a number from 0 to 23; got ${quote(word)}`)
}

function profileOf(name: string): FirmwareProfile {
  const profile = profileByName(name)
  if (profile !== undefined) return profile
  const known = PROFILES.map((one) => one.name).join(', ')
  throw new RangeError(`there is no firmware ${quote(name)}; the known ones are ${known}`)
}

const PEM = /-----BEGIN [^-]+-----([^-]+)-----END/

/** Returns the DER bytes of a file: its content, or the first block of a PEM file. */
async function loadKey(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new RangeError(`${cause.message}; give a DER or PEM file, or the key in hexadecimal`)
  })
  const body = PEM.exec(bytes.toString('latin1'))?.[1]
  return new Uint8Array(body === undefined ? bytes : Buffer.from(body, 'base64'))
}

function isHex(word: string): boolean {
  return /^([0-9a-f]{2})+$/i.test(word)
}

/** Every verb, in the order of the help text. */
const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  [
    'template',
    {
      takes: ['NAME'],
      prepare:
        ([name = '']) =>
        async (machine) =>
          machine.useTemplate(name),
    },
  ],
  [
    'measure',
    {
      takes: ['PATH', '[DIGEST]'],
      prepare: ([path = '', hex]) => {
        // A default content is derived from the name, so that the same script makes the same list.
        const content = hex === undefined ? digest('sha256', text(path)) : bytesOfHex(hex, 'DIGEST')
        return (machine) => machine.measure(path, content)
      },
    },
  ],
  [
    'violation',
    {
      takes: ['PATH'],
      prepare:
        ([path = '']) =>
        (machine) =>
          machine.violate(path),
    },
  ],
  [
    'buf',
    {
      takes: ['NAME', 'HEX'],
      prepare: ([name = '', hex = '']) => {
        const buffer = bytesOfHex(hex, 'HEX')
        return (machine) => machine.measureBuffer(name, buffer)
      },
    },
  ],
  [
    'key',
    {
      takes: ['KEYRING', 'FILE-or-HEX'],
      prepare:
        ([keyring = '', key = '']) =>
        async (machine) =>
          machine.measureBuffer(keyring, isHex(key) ? fromHex(key) : await loadKey(key)),
    },
  ],
  [
    'extend',
    {
      takes: ['PCR', 'HEX'],
      prepare: ([pcr = '', hex = '']) => {
        const [register, data] = [pcrOf(pcr), bytesOfHex(hex, 'HEX')]
        return (machine) => machine.extend(register, data)
      },
    },
  ],
  [
    'reboot',
    {
      takes: ['[PROFILE]'],
      prepare: ([name]) => {
        if (name === undefined) return (machine) => machine.reboot()
        const profile = profileOf(name)
        return (machine) => machine.reboot((boot) => scriptedBoot(profile, boot))
      },
    },
  ],
  ['suspend', { takes: [], prepare: () => (machine) => machine.suspend() }],
  [
    'fault',
    {
      takes: ['NAME'],
      prepare: ([name = '']) => {
        const fault = faultByName(name)
        if (fault !== undefined) return (machine) => machine.addFault(fault)
        const known = FAULTS.map((one) => one.name).join(', ')
        throw new RangeError(`there is no fault ${quote(name)}; the known faults are ${known}`)
      },
    },
  ],
])

/** Every verb with its arguments, in script syntax. */
export const USAGES: readonly string[] = [...VERBS].map(([verb, { takes }]) =>
  [verb, ...takes].join(' '),
)

/** Returns a word as an error shows it. */
export function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
}

/**
 * Replaces the file of a step by its content, so that the step can be repeated after the file is gone. Rejects with
 * RangeError if the file is missing.
 */
export async function settleStep([verb, ...args]: Step): Promise<Step> {
  const [keyring = '', key = ''] = args
  if (verb !== 'key' || isHex(key)) return [verb, ...args]
  return [verb, keyring, toHex(await loadKey(key))]
}

/** Checks a step. Throws RangeError with the problem and the correct form. */
export function prepareStep([verb, ...args]: Step): Action {
  const row = VERBS.get(verb)
  if (row === undefined) {
    throw new RangeError(
      `there is no verb ${quote(verb)}; the known verbs are ${USAGES.join('; ')}`,
    )
  }
  const least = row.takes.filter((word) => !word.startsWith('[')).length
  if (args.length < least || args.length > row.takes.length) {
    throw new RangeError(
      `${args.length} argument(s) given; write ${[verb, ...row.takes].join(' ')}`,
    )
  }
  return row.prepare(args)
}
