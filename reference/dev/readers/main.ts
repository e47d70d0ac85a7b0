/**
 * The readers of the reference as a program for `npm run readers`: reads a line of JSON with a `kind` and `bytes` in base64,
 * and answers with a line of JSON that has the fields, or an `error`.
 */
import { createInterface } from 'node:readline'
import { toHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { hashMatches, type ImaItem, isViolation } from '../../evidence/ima/list/entry.ts'
import { parseAsciiList } from '../../evidence/ima/list/parse-ascii.ts'
import { parseBinaryList } from '../../evidence/ima/list/parse-binary.ts'
import { GUEST_REGISTERS, PCRS } from '../../evidence/uefi/log/log-registers.ts'
import { parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import { hashes } from '../../tpm/algorithms.ts'
import { TPM_GENERATED_VALUE, TPMS_ATTEST } from '../../tpm/attest.ts'
import { decode } from '../../tpm/codec.ts'
import { digestHex } from '../../tpm/digest.ts'

function readLog(bytes: Buffer) {
  // The log of a confidential guest begins with a header for register 1.
  const isOfGuest = bytes.length >= 4 && bytes.readUInt32LE(0) === GUEST_REGISTERS.first
  const { events } = parseBootLog(bytes, isOfGuest ? GUEST_REGISTERS : PCRS)
  return {
    events: events.map(({ pcr, untrustedType, digests, raw }) => ({
      ...{ pcr, type: untrustedType, size: raw.length, data: digestHex(hashes.sha256, raw) },
      digests: Object.fromEntries([...digests].map(([bank, digest]) => [bank, toHex(digest)])),
    })),
  }
}

/** An item that the entry checks of a verifier reject is an error: what a violation recorded is not checked. */
function entryOf(item: ImaItem) {
  if (item.kind === 'unreadable') throw new WireError(`IMA[${item.number}]`, 0, item.why)
  const { number, pcr, template, templateHash, content } = item
  const common = { pcr, template, templateHash, hashHolds: hashMatches(item) || isViolation(item) }
  if ('invalid' in content) {
    if (isViolation(item)) return common
    throw new WireError(`IMA[${number}]`, 0, content.invalid)
  }
  const { algorithm, hex } = content.digest
  return {
    ...{ ...common, digest: `${algorithm}:${hex}` },
    // A name that is no UTF-8 has no text that readers could agree on.
    ...(content.exactName && { name: content.name }),
  }
}

/** A magic that the checks of a quote reject is an error, as it is for other readers (Part 2, 10.12.12). */
function readAttest(bytes: Buffer) {
  const { magic, type, qualifiedSigner, extraData, clockInfo, firmwareVersion, attested } = decode(
    TPMS_ATTEST,
    bytes,
  )
  if (magic !== TPM_GENERATED_VALUE)
    throw new WireError('TPMS_ATTEST.magic', 0, `expected 0x${TPM_GENERATED_VALUE.toString(16)}`)
  const { clock, resetCount, restartCount, safe } = clockInfo
  const common = {
    ...{ magic, type, qualifiedSigner: toHex(qualifiedSigner), extraData: toHex(extraData) },
    ...{ clock: `${clock}`, resetCount, restartCount, safe, firmwareVersion: `${firmwareVersion}` },
  }
  if (attested.kind !== 'quote') return { attest: common }
  const { pcrSelect, pcrDigest } = attested.value
  const selections = pcrSelect.map((one) => ({ hash: one.hash, pcrSelect: toHex(one.pcrSelect) }))
  return { attest: { ...common, pcrSelect: selections, pcrDigest: toHex(pcrDigest) } }
}

const READERS: Readonly<Record<string, (bytes: Buffer) => object>> = {
  log: readLog,
  list: (bytes) => ({ entries: parseBinaryList(bytes, hashes.sha1).map(entryOf) }),
  'text-list': (bytes) => ({ entries: parseAsciiList(bytes, hashes.sha1).map(entryOf) }),
  quote: readAttest,
}

function answerTo(line: string): object {
  const { kind, bytes }: { readonly kind: string; readonly bytes: string } = JSON.parse(line)
  try {
    return READERS[kind]?.(Buffer.from(bytes, 'base64')) ?? { error: `no reader of ${kind}` }
  } catch (error) {
    // Another error is a fault of the reader, which ends the program.
    if (error instanceof WireError) return { error: error.message }
    throw error
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(answerTo(line))}\n`)
