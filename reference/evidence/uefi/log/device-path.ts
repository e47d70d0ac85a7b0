import type { Reader } from '../../../bytes/reader.ts'

/** A node of a device path (UEFI 10.3.1): a header of 4 bytes, and the data of its type. */
export interface DevicePathNode {
  readonly type: number
  readonly subtype: number
  readonly data: Uint8Array
}

const END = 0x7f
const END_OF_ALL = 0xff
const NODE_HEAD = 4

/** Reads device paths to the end of the input; the last one must end there. Empty input is an error. */
export function readDevicePaths(reader: Reader): readonly DevicePathNode[] {
  const nodes: DevicePathNode[] = []
  let isEnded = true
  while (reader.remaining > 0) {
    const node = reader.field(`[${nodes.length}]`, () => readNode(reader))
    isEnded = node.type === END && node.subtype === END_OF_ALL
    nodes.push(node)
  }
  if (!isEnded) throw reader.error('the device path has no end node')
  return nodes
}

function readNode(reader: Reader): DevicePathNode {
  const at = reader.offset
  const type = reader.u8()
  const subtype = reader.u8()
  const length = reader.u16()
  if (length < NODE_HEAD) throw reader.error(`a node of ${length} bytes, 4 is the least`, at + 2)
  return { type, subtype, data: reader.take(length - NODE_HEAD) }
}
