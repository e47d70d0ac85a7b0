import { SetupFault } from '../../../conformance/input/fault.ts'
import { BANKS, type Bank, bankOf, HASHES } from '../../../simulator/tpm/hash.ts'
import { parsePcrBlob } from '../../../simulator/tpm/pcr-blob.ts'
import { fromHex } from '../../../simulator/tpm/write.ts'
import type { Given } from '../read-given.ts'
import { isPlainText } from '../text-forms.ts'
import { readWholeQuote } from './quote-source.ts'

/** Published PCR values: bank -> PCR -> value. */
export type PublishedPcrs = ReadonlyMap<Bank, ReadonlyMap<number, Uint8Array>>

/** Forms of a value line: `sha256 10 <hex>`, `sha256: 10: 0x<hex>`, or `10 <hex>` after a line with the bank. */
const BANK_LINE = /^\s*(sha1|sha256|sha384|sha512)\s*:?\s*$/i
const VALUE_LINE =
  /^\s*(?:(sha1|sha256|sha384|sha512)\s*[: ]\s*)?(\d{1,2})\s*[: ]\s*(?:0x)?([0-9a-f]+)\s*$/i

/** Longer lines are ignored: a SHA-512 value with its prefix is shorter. */
const LONGEST_LINE = 256

function bankNamed(name: string | undefined): Bank | undefined {
  return BANKS.find((bank) => bank === name?.toLowerCase())
}

function addValue(
  found: Map<Bank, Map<number, Uint8Array>>,
  bank: Bank | undefined,
  pcr: number,
  value: Uint8Array,
): void {
  if (bank === undefined || value.length !== HASHES[bank].size) return
  const values = found.get(bank) ?? new Map<number, Uint8Array>()
  found.set(bank, values.set(pcr, value))
}

function readText(text: string): PublishedPcrs {
  const found = new Map<Bank, Map<number, Uint8Array>>()
  let current: Bank | undefined
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE) continue
    current = bankNamed(BANK_LINE.exec(line)?.[1]) ?? current
    const [, bank, pcr, digits = ''] = VALUE_LINE.exec(line) ?? []
    if (pcr === undefined || digits.length % 2 !== 0) continue
    addValue(found, bankNamed(bank) ?? current, Number(pcr), fromHex(digits))
  }
  return found
}

function readBlobValues(bytes: Uint8Array): PublishedPcrs {
  const found = new Map<Bank, Map<number, Uint8Array>>()
  const { selections, values } = parsePcrBlob(bytes)
  let at = 0
  for (const { hash, pcrs } of selections) {
    for (const pcr of pcrs) {
      addValue(found, bankOf(hash), pcr, values[at] ?? new Uint8Array())
      at += 1
    }
  }
  return found
}

function tryBlob(bytes: Uint8Array): PublishedPcrs {
  try {
    return readBlobValues(bytes)
  } catch {
    return new Map()
  }
}

/**
 * Reads `--pcrs`: the output of tpm2_pcrread, lines of `sha256 10 <hex>`, the PCR values of a quote, or a quote.
 * Throws a {@link SetupFault} if it contains no PCR value.
 */
export function readPcrFile({ file, bytes }: Given): PublishedPcrs {
  const quoted = readWholeQuote({ file, bytes })?.pcrs
  const found =
    quoted !== undefined
      ? tryBlob(quoted.bytes)
      : isPlainText(bytes)
        ? readText(new TextDecoder().decode(bytes))
        : tryBlob(bytes)
  if (found.size > 0) return found
  throw new SetupFault(`--pcrs ${file} contains no PCR values`, {
    next: 'pass the output of tpm2_pcrread, or lines such as: sha256 10 <hexadecimal>',
  })
}
