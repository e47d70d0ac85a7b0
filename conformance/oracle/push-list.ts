import { readAsciiList } from '../../simulator/ima/read-ascii.ts'
import { extendValues } from '../../simulator/ima/template.ts'
import { type Bank, digest, HASHES } from '../../simulator/tpm/hash.ts'
import { cat, filled, toHex } from '../../simulator/tpm/write.ts'
import { unbase64 } from '../client/bytes.ts'

const IMA_PCR = 10

/** The measurement list entries that a push agent sent, as lines. */
interface SentList {
  readonly form: 'raw' | 'base64'
  readonly lines: readonly string[]
}

/** Reads `entries` of a text list, plain or in base64 (ambiguity ENTRIES); undefined if they are not lines. */
export function readSentList(entries: unknown): SentList | undefined {
  if (typeof entries !== 'string') return undefined
  if (entries === '') return { form: 'raw', lines: [] }
  const form = /^\d+ [0-9a-f]/.test(entries) ? 'raw' : 'base64'
  const text = form === 'raw' ? entries : new TextDecoder().decode(unbase64(entries))
  return { form, lines: text.split('\n').filter((line) => line !== '') }
}

/** PCR 10 of a bank after replaying the lines from zeros, in hexadecimal; undefined if a line cannot be parsed. */
export function replayLines(lines: readonly string[], bank: Bank): string | undefined {
  try {
    const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
    let value: Uint8Array = filled(HASHES[bank].size)
    for (const { entry } of readAsciiList(bytes)) {
      const extended = extendValues(entry)[bank]
      if (entry.pcr === IMA_PCR) value = digest(bank, cat(value, extended))
    }
    return toHex(value)
  } catch {
    return undefined
  }
}
