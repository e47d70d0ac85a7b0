import { Cursor } from '../tpm/cursor.ts'
import { toHex } from '../tpm/write.ts'
import { guidText } from './guid.ts'
import { withoutTrailing } from './without-trailing.ts'

const END = 0x7f

/** Named nodes, by type and subtype; others are shown as bytes. */
const NAMED: ReadonlyMap<string, (data: Uint8Array) => string> = new Map([
  ['1 1', (data) => `Pci(0x${hex(data[1])},0x${hex(data[0])})`],
  ['2 1', (data) => `Acpi(${toHex(data.subarray(0, 8))})`],
  ['4 1', (data) => `HD(${data[0] ?? 0},${guidText(data.subarray(20, 36))})`],
  ['4 4', (data) => withoutTrailing(Buffer.from(data).toString('utf16le'), '\0')],
  ['4 6', (data) => `FvFile(${guidText(data.subarray(0, 16))})`],
  ['4 7', (data) => `Fv(${guidText(data.subarray(0, 16))})`],
])

function hex(byte = 0): string {
  return byte.toString(16)
}

/** Maximum number of nodes shown; the rest are counted. */
const MOST_NODES = 24

/**
 * Returns a device path as text, node by node: `Acpi(…)/Pci(0x3,0x0)/HD(1,…)/\EFI\…`; empty if there is none.
 * Throws RangeError for a node whose stated length is too small, ShortRead for one that exceeds the data.
 */
export function readDevicePath(bytes: Uint8Array): string {
  const cursor = new Cursor(bytes, 'device path')
  const nodes: string[] = []
  let count = 0
  while (cursor.left > 0) {
    const [type, subtype, length] = [cursor.u8(), cursor.u8(), cursor.u16le()]
    if (length < 4)
      throw new RangeError(`a device path node states ${length} bytes; at least 4 expected`)
    const data = cursor.take(length - 4)
    if (type === END) break
    count += 1
    if (count > MOST_NODES) continue
    const name = NAMED.get(`${type} ${subtype}`)
    nodes.push(name?.(data) ?? `Path(${type},${subtype},${toHex(data.subarray(0, 16))})`)
  }
  const rest = count > MOST_NODES ? [`and ${count - MOST_NODES} more`] : []
  return [...nodes, ...rest].join('/')
}
