import { hash } from 'node:crypto'
import { concat, Writer } from '../../bytes/writer.ts'
import { provenPcrs } from '../../evidence/testing/proven-pcrs.ts'
import { BOOT_PCRS } from '../../evidence/uefi/boot-pcrs.ts'
import { evaluateUefi } from '../../evidence/uefi/evaluate-uefi.ts'
import { dataForms } from '../../evidence/uefi/log/data-forms.ts'
import { eventTypeName, eventTypes } from '../../evidence/uefi/log/event-types.ts'
import { type BootLog, parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import { replayBank } from '../../evidence/uefi/log/replay.ts'
import { deriveState } from '../../evidence/uefi/policy/derive-state.ts'
import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { type HashAlgorithm, hashes } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { costs, type Row } from './measure.ts'

const BANKS: readonly HashAlgorithm[] = [hashes.sha1, hashes.sha256, hashes.sha384]
const EVENTS = 120
const COMMAND_PCR = 8

/** The recorded boot, and as many commands of a boot loader as are wanting. */
function longLog(): Uint8Array {
  const log = recorded('binary_bios_measurements')
  const wanting = EVENTS - parseBootLog(log).events.length
  return concat(
    log,
    ...Array.from({ length: wanting }, (_, number) => command(`set number=${number}`)),
  )
}

function command(text: string): Uint8Array {
  const writer = new Writer('little')
  const data = Buffer.from(`grub_cmd: ${text}\0`)
  writer.u32(COMMAND_PCR)
  writer.u32(eventTypes.EV_IPL)
  writer.u32(BANKS.length)
  for (const bank of BANKS) {
    writer.u16(bank.id)
    writer.put(digestOf(bank, Buffer.from(text)))
  }
  writer.u32(data.length)
  writer.put(data)
  return writer.finish()
}

/** The verified PCR values that the log replays to. */
function quoted(log: BootLog) {
  return provenPcrs(
    BANKS.map((bank) => {
      const values = replayBank(log, bank, 0)
      const none = new Uint8Array(bank.size)
      return {
        bank: bank.name,
        values: new Map(BOOT_PCRS.map((pcr) => [pcr, values.get(pcr) ?? none])),
      }
    }),
  )
}

/** Bytes as the cheapest thing that a hash can give: a text of one character each. */
function hashOf({ digest = '' }: HashAlgorithm, bytes: Uint8Array): string {
  return hash(digest, bytes, 'binary')
}

/** The hashes that no verifier can do without: every extend of a bank, one behind the other. */
function extendAll(bank: HashAlgorithm, digests: readonly Uint8Array[]): void {
  const both = Buffer.alloc(bank.size * 2)
  for (const digest of digests) {
    both.set(digest, bank.size)
    both.write(hashOf(bank, both), 'latin1')
  }
}

/** Event data that policies read, if its digest covers it. */
function coveredBy({ events }: BootLog): readonly Uint8Array[] {
  return events.flatMap(({ untrustedType, raw }) => {
    const name = eventTypeName(untrustedType)
    const form = name && dataForms.get(name)
    return form && form.readings.length > 0 ? [raw] : []
  })
}

/** The least hashing for a log: its extends, and event data for the digests of one bank. */
function hashesOf(log: BootLog): { readonly extendsOnly: () => void; readonly all: () => void } {
  const digests = BANKS.map((bank) =>
    log.events.flatMap((each) => each.digests.get(bank.name) ?? []),
  )
  const data = coveredBy(log)
  const extendsOnly = () => {
    for (const [at, bank] of BANKS.entries()) extendAll(bank, digests[at] ?? [])
  }
  const all = () => {
    extendsOnly()
    for (const raw of data) hashOf(hashes.sha256, raw)
  }
  return { extendsOnly, all }
}

/** A log of 120 events, parsed, replayed in three banks and compared with its reference state. */
export function bootLogRows(): readonly Row[] {
  const log = longLog()
  const read = parseBootLog(log)
  const verified = quoted(read)
  const state = parseReferenceState(JSON.stringify(deriveState(read).state))
  const policy = { name: 'example', state } as const
  const evaluate = () => evaluateUefi(log, verified, 'sha256', { required: true, policy })
  const [problem] = evaluate().findings
  if (problem) throw new Error(`the log is not good: ${problem.context.message}`)
  const { extendsOnly, all } = hashesOf(read)
  const subject = `boot log of ${read.events.length} events in ${BANKS.length} banks, evaluated`
  return [
    { subject, unit: 'log', floor: 'its extends', ...costs(evaluate, extendsOnly) },
    { subject, unit: 'log', floor: 'extends and data', ...costs(evaluate, all), limit: 4 },
  ]
}
