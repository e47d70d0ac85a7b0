import { Reader } from '../../bytes/reader.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { HashAlgorithm } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import { contentOf, type ImaEntry, type ImaItem } from './entry.ts'
import { FIXED_NAME_SIZE, type Template, templateByName, templateData } from './templates.ts'

const MAX_TEMPLATE_NAME = 255

interface Body {
  readonly data: Uint8Array
  readonly content: ImaEntry['content']
}

/**
 * Reads a binary measurement list (little endian).
 *
 * Entries carry their lengths, so an entry of an unknown template can still be replayed; its content is then invalid.
 * When the framing itself breaks, the rest of the list is one unreadable item.
 *
 * @param hash algorithm of the template hash, SHA-1 in every list but the per-algorithm ones of newer kernels
 */
export function parseBinaryList(bytes: Uint8Array, hash: HashAlgorithm): readonly ImaItem[] {
  const reader = new Reader(bytes, 'IMA', 'little')
  const items: ImaItem[] = []
  while (reader.remaining > 0) {
    const start = reader.offset
    const number = items.length
    try {
      items.push(reader.field(`[${number}]`, () => readEntry(reader, number, hash)))
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      const rest = bytes.subarray(start)
      items.push({
        kind: 'unreadable',
        number,
        lines: 1,
        why: error.message,
        bytes: rest,
        mayContinue: false,
      })
      break
    }
  }
  return items
}

function readEntry(reader: Reader, number: number, hash: HashAlgorithm): ImaEntry {
  const pcr = reader.field('.pcr', () => reader.u32())
  const templateHash = reader.field('.templateHash', () => reader.take(hash.size))
  const name = reader.field('.templateName', () => readTemplateName(reader))
  const template = templateByName(name)
  const { data, content } = reader.field('.data', () =>
    template?.fixed ? readFixed(reader, template) : readFramed(reader, template),
  )
  const dataHash = digestOf(hash, data)
  return {
    kind: 'entry',
    number,
    lines: 1,
    pcr,
    templateHash,
    template: name,
    data,
    dataHash,
    content,
  }
}

function readTemplateName(reader: Reader): string {
  const at = reader.offset
  const length = reader.u32()
  if (length < 1 || length > MAX_TEMPLATE_NAME)
    throw reader.error(`a template name of ${length} bytes, 1 to ${MAX_TEMPLATE_NAME} allowed`, at)
  const text = Buffer.from(reader.take(length)).toString('latin1')
  if (!/^[\x21-\x7e]+$/.test(text)) throw reader.error('a template name must be printable', at)
  return text
}

/** The oldest template: 20 digest bytes and a name with its length. */
function readFixed(reader: Reader, template: Template): Body {
  const digest = reader.take(20)
  const at = reader.offset
  const length = reader.u32()
  if (length > FIXED_NAME_SIZE)
    throw reader.error(`a name of ${length} bytes, at most ${FIXED_NAME_SIZE} allowed`, at)
  const fields = [digest, reader.take(length)]
  return { data: templateData(template, fields), content: contentOf(template, fields) }
}

/** Every other template: one length for all the data, and one for each field. */
function readFramed(reader: Reader, template: Template | undefined): Body {
  const data = reader.take(reader.u32())
  if (!template) return { data, content: { invalid: 'the template is not known' } }
  try {
    return { data, content: contentOf(template, splitFields(data, template)) }
  } catch (error) {
    if (error instanceof WireError) return { data, content: { invalid: error.message } }
    throw error
  }
}

function splitFields(data: Uint8Array, template: Template): readonly Uint8Array[] {
  const reader = new Reader(data, template.name, 'little')
  const fields = template.fields.map(([name]) =>
    reader.field(`.${name}`, () => reader.take(reader.u32())),
  )
  reader.finish()
  return fields
}
