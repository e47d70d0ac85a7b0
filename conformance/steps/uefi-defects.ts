import { type Bank, HASHES } from '../../simulator/tpm/hash.ts'
import { parseUefiLog, specIdEvent, writeUefiLog } from '../../simulator/uefi/log.ts'
import { flipBit } from '../client/bytes.ts'

/** The firmware log with one bit flipped in the last event's digest of the bank. */
export function alterLastUefiDigest(bytes: Uint8Array, bank: Bank): Uint8Array {
  const log = parseUefiLog(bytes)
  const { alg } = HASHES[bank]
  const last = log.events.findLastIndex(({ digests }) => digests.has(alg))
  const events = log.events.map((event, at) => {
    const digest = event.digests.get(alg)
    if (at !== last || digest === undefined) return event
    return { ...event, digests: new Map(event.digests).set(alg, flipBit(digest, 0)) }
  })
  return writeUefiLog({ ...log, events })
}

/** The firmware log with digests of this bank only. */
export function uefiLogOfBank(bytes: Uint8Array, bank: Bank): Uint8Array {
  const log = parseUefiLog(bytes)
  const { alg } = HASHES[bank]
  const events = log.events.map((event) => {
    const digest = event.digests.get(alg)
    return { ...event, digests: new Map(digest ? [[alg, digest]] : []) }
  })
  return writeUefiLog({ ...log, header: specIdEvent([bank]), events })
}
