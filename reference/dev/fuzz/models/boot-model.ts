import { equalBytes } from '../../../bytes/equal.ts'
import { BOOT_PCRS, type BootRun, FACTS } from '../boot-logs.ts'
import {
  type ModelEvent,
  type ModelLog,
  readModelLog,
  replayModel,
  SHA256,
  sha,
} from './boot-events.ts'

/** Why a boot must not pass, by a reading and a replay of its own; undefined when nothing speaks against it. */
export function bootMustNotPass(run: BootRun): string | undefined {
  if (run.policy === 'reject-all') return 'the policy lets nothing pass'
  const log = readModelLog(run.log)
  if (!log) return 'the log cannot be read to its end'
  return replayProblem(run, log) ?? (run.policy === 'example' ? shownProblem(run, log) : undefined)
}

const RELIED: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14]

function replayProblem({ quoted, policy }: BootRun, log: ModelLog): string | undefined {
  const values = replayModel(log)
  if (!values) return 'an event has no digest of the quoted bank'
  for (const pcr of policy === 'example' ? RELIED : BOOT_PCRS) {
    const value = quoted[String(pcr)]
    if (!value) return 'a PCR that the policy rests on was not quoted'
    if (!equalBytes(values.get(pcr) ?? new Uint8Array(32), value))
      return 'the log does not replay to what was quoted'
  }
  return undefined
}

const NO_ACTION = 3
const SEPARATOR = 4
const CONFIG = 0x80000001
const AUTHORITY = 0x800000e0

/** An event with its digest in the quoted bank. */
interface Shown extends ModelEvent {
  readonly digest: Uint8Array
  readonly isProven: boolean
}

function shownIn(log: ModelLog): readonly Shown[] {
  return log.events
    .filter(({ type, pcr }) => type !== NO_ACTION && RELIED.includes(pcr))
    .map((event) => {
      const digest = event.digests.find(([alg]) => alg === SHA256)?.[1] ?? new Uint8Array()
      return { ...event, digest, isProven: equalBytes(sha(event.data), digest) }
    })
}

const GOOD_SEPARATORS = [new Uint8Array(4), new Uint8Array(4).fill(0xff)].map((data) => sha(data))

function isOneOf(digest: Uint8Array, those: readonly Uint8Array[]): boolean {
  return those.some((each) => equalBytes(each, digest))
}

function shownProblem(run: BootRun, log: ModelLog): string | undefined {
  const shown = shownIn(log)
  return (
    capProblem(shown) ??
    secureBootProblem(run, shown) ??
    (run.state === 0 ? shortProblem(shown) : undefined)
  )
}

/** Each PCR of the firmware was capped, and no cap says that it failed. */
function capProblem(shown: readonly Shown[]): string | undefined {
  const caps = shown.filter(({ type, pcr }) => type === SEPARATOR && pcr < 8)
  if (caps.some(({ digest }) => !isOneOf(digest, GOOD_SEPARATORS)))
    return 'a separator tells of an error'
  const capped = new Set(caps.map(({ pcr }) => pcr))
  return capped.size < 8 ? 'a PCR has no separator' : undefined
}

const SECURE_NAME = Buffer.from('SecureBoot', 'utf16le')

function secureBootProblem({ state }: BootRun, shown: readonly Shown[]): string | undefined {
  const said = shown.filter(
    ({ pcr, type, data }) =>
      pcr === 7 &&
      type === CONFIG &&
      equalBytes(data.subarray(32, 32 + SECURE_NAME.length), SECURE_NAME),
  )
  const isOn = ({ data }: Shown) => data.at(-1) === 1 && data.length === 33 + SECURE_NAME.length
  if (shown.some(({ pcr, type, isProven }) => pcr === 7 && type === CONFIG && !isProven))
    return 'a variable is not proven'
  if (state === 0)
    return said.length > 0 && said.every(isOn) ? undefined : 'Secure Boot is not shown to be on'
  return said.some(isOn) ? 'Secure Boot is on' : undefined
}

const CALLING = [
  'Calling EFI Application from Boot Option',
  'Returning from EFI Application from Boot Option',
  'Calling INT 19h',
  'Returned INT 19h',
  'Return via INT 18h',
].map((said) => sha(Buffer.from(said)))

/** What the reference state of the short boot names, digest by digest, whatever the events call themselves. */
function shortProblem(shown: readonly Shown[]): string | undefined {
  const of = (pcr: number) => shown.filter((each) => each.pcr === pcr)
  const firmware = of(0).filter(
    ({ digest, type }) => type !== SEPARATOR && !isOneOf(digest, [FACTS.version]),
  )
  if (!firmware[0] || !equalBytes(firmware[0].digest, FACTS.firmware))
    return 'another firmware comes first'
  const images = of(4).filter(({ digest }) => !isOneOf(digest, [...GOOD_SEPARATORS, ...CALLING]))
  if (images.length !== 1 || !isOneOf(images[0]?.digest ?? new Uint8Array(), [FACTS.loader]))
    return 'another image was loaded'
  if (of(14).some(({ digest }) => !isOneOf(digest, FACTS.moks))) return 'other keys of the owner'
  if (!of(8).some(({ digest }) => isOneOf(digest, [FACTS.cmdline])))
    return 'the command line is another one'
  if (!of(9).some(({ digest }) => isOneOf(digest, [FACTS.initrd])))
    return 'the initrd is another one'
  return keyProblem(of(7))
}

function keyProblem(shown: readonly Shown[]): string | undefined {
  const named = (name: string) =>
    shown.filter(({ type, data }) => type === CONFIG && nameOf(data) === name)
  const keys = named('db').flatMap(({ data }) => signaturesIn(data.subarray(36)))
  if (keys.some((each) => !isOneOf(each, [FACTS.key]))) return 'db has another key'
  const revoked = named('dbx').flatMap(({ data }) => signaturesIn(data.subarray(38)))
  if (FACTS.revoked.some((each) => !isOneOf(each, revoked))) return 'dbx lacks what was revoked'
  const authorities = shown.filter(({ type, data }) => type === AUTHORITY && nameOf(data) === 'db')
  return authorities.some(({ data }) => !equalBytes(data.subarray(36 + 16, 36 + 48), FACTS.key))
    ? 'another key let it boot'
    : undefined
}

function nameOf(data: Uint8Array): string {
  const length = Number(Buffer.from(data).readBigUInt64LE(16))
  return Buffer.from(data.subarray(32, 32 + 2 * length)).toString('utf16le')
}

/** Signatures of lists, without their owners and without the headers of the lists. */
function signaturesIn(lists: Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(lists)
  const found: Uint8Array[] = []
  for (let at = 0; at + 28 <= bytes.length; ) {
    const [listSize, headerSize, size] = [16, 20, 24].map((offset) =>
      bytes.readUInt32LE(at + offset),
    )
    if (!listSize || !size || headerSize === undefined) break
    for (let from = at + 28 + headerSize; from + size <= at + listSize; from += size)
      found.push(new Uint8Array(bytes.subarray(from + 16, from + size)))
    at += listSize
  }
  return found
}
