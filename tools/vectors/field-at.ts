import { parseAttest } from '../../simulator/tpm/attest.ts'
import { type OnRead, ShortRead } from '../../simulator/tpm/cursor.ts'
import { parsePcrBlob } from '../../simulator/tpm/pcr-blob.ts'
import { parseSignature } from '../../simulator/tpm/signature.ts'
import { eventTypeName } from '../../simulator/uefi/event-types.ts'
import { readLog } from '../../simulator/uefi/read-log.ts'

type FieldOf = (bytes: Uint8Array, offset: number) => string | undefined

/** Path of the field of a structure at an offset, as far as the structure can be read. */
function inStructure(parse: (bytes: Uint8Array, onRead: OnRead) => unknown): FieldOf {
  return (bytes, offset) => {
    let found: string | undefined
    try {
      parse(bytes, (field) => {
        if (offset >= field.offset && offset < field.offset + field.length) found = field.path
      })
    } catch (error) {
      if (!(error instanceof ShortRead)) throw error
    }
    return found
  }
}

/** `event 12, EV_SEPARATOR of PCR 4` */
function inLog(bytes: Uint8Array, offset: number): string | undefined {
  const event = readLog(bytes).events.find(
    (one) => offset >= one.offset && offset < one.offset + one.length,
  )
  return event && `event ${event.number}, ${eventTypeName(event.type)} of PCR ${event.pcr}`
}

const NEWLINE = 0x0a

function inList(bytes: Uint8Array, offset: number): string {
  return `line ${bytes.subarray(0, offset).filter((byte) => byte === NEWLINE).length + 1}`
}

const FIELDS: ReadonlyMap<string, FieldOf> = new Map([
  ['quote, message', inStructure(parseAttest)],
  ['quote, signature', inStructure(parseSignature)],
  ['quote, PCR values', inStructure(parsePcrBlob)],
  ['mb_list', inLog],
  ['ima_measurement_list', inList],
])

/** The field of a part at an offset; undefined if the part has no fields, or cannot be read so far. */
export function fieldAt(part: string, bytes: Uint8Array, offset: number): string | undefined {
  return FIELDS.get(part)?.(bytes, offset)
}
