// An adapter of `assay vectors run` for `evmctl ima_measurement` of ima-evm-utils: the replay of a measurement list to PCR 10.
// It reads binary lists, so the list is written in that form; it takes the PCR value as it is sent, and reads no policy.
import { each, file, quoteOf, run } from './parts-of.js'

/** TPM_ALG_ID and bytes of a digest, by name. */
const BANKS = new Map([
  ['sha1', { alg: 4, size: 20 }],
  ['sha256', { alg: 11, size: 32 }],
])
const LINE = /^(\d+) ([0-9a-f]{40}) (ima-ng|ima-sig|ima-buf) ([a-z0-9]+):([0-9a-f]+) (.+)$/
/** A name and a last column in hexadecimal digits. */
const COLUMNS = /^(.+) ([0-9a-f]*)$/

/** @param {number} value */
function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** @param {Uint8Array[]} parts */
function sized(...parts) {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([u32(bytes.length), bytes])
}

/**
 * A line of the text list in binary form; undefined if it has another form than the kernel writes.
 * @param {string} line
 */
function entry(line) {
  const match = LINE.exec(line)
  if (match === null) return undefined
  const [, pcr, hash = '', template = '', algorithm, digest = '', columns = ''] = match
  const [, name = '', last = ''] =
    template === 'ima-ng' ? ['', columns] : (COLUMNS.exec(columns) ?? [])
  const fields = [
    sized(Buffer.from(`${algorithm}:\0`), Buffer.from(digest, 'hex')),
    sized(Buffer.from(`${name}\0`)),
    ...(template === 'ima-ng' ? [] : [sized(Buffer.from(last, 'hex'))]),
  ]
  const head = [u32(Number(pcr)), Buffer.from(hash, 'hex'), sized(Buffer.from(template))]
  return Buffer.concat([...head, sized(...fields)])
}

/**
 * The value of PCR 10 in the blob of tpm2_quote; undefined if it is not quoted.
 * @param {Buffer} blob
 * @param {number} bank
 */
function pcr10(blob, bank) {
  const pcrs = []
  for (let at = 4; at < 4 + 8 * blob.readUInt32LE(0); at += 8)
    for (let pcr = 0; pcr < 24; pcr += 1)
      if ((blob[at + 3 + (pcr >> 3)] ?? 0) & (1 << (pcr & 7)))
        pcrs.push([blob.readUInt16LE(at), pcr])
  const index = pcrs.findIndex(([hash, pcr]) => hash === bank && pcr === 10)
  const at = 136 + 532 * Math.floor(index / 8) + 4 + 66 * (index % 8)
  return index < 0 ? undefined : blob.subarray(at + 2, at + 2 + blob.readUInt16LE(at))
}

await each((body) => {
  const { ima_measurement_list: list, hash_alg } = body
  if (typeof list !== 'string' || 'mb_list' in body)
    return { skip: 'evmctl reads measurement lists alone' }
  const bank = BANKS.get(hash_alg)
  const lines = list.replace(/\n$/, '').split('\n')
  const entries = lines.flatMap((line) => entry(line) ?? [])
  if (bank === undefined || entries.length < lines.length)
    return { skip: 'the list has no binary form that evmctl reads' }
  const quote = quoteOf(body)
  const value = quote && pcr10(quote.pcrs, bank.alg)
  if (value === undefined) return { error: 'PCR 10 is not quoted' }
  const pcrs = Array.from({ length: 24 }, (_, pcr) => {
    const bytes = pcr === 10 ? value : Buffer.alloc(bank.size)
    return `PCR-${String(pcr).padStart(2, '0')}: ${bytes.toString('hex').replace(/../g, '$& ').trim()}\n`
  })
  const words = ['ima_measurement', '--pcrs', `${hash_alg},${file('pcrs', pcrs.join(''))}`]
  const { printed } = run('evmctl', [...words, file('list', Buffer.concat(entries))])
  return {
    valid: printed.includes('Matched per TPM bank calculated digest(s).'),
    ...{ why: printed.split('\n')[0], unread: ['runtime_policy', 'tpm_policy'] },
  }
})
