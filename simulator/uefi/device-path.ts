import { cat, filled, u8, u16le, u32le } from '../tpm/write.ts'
import { guidBytes } from './guid.ts'

/** EFI_DEVICE_PATH_PROTOCOL (UEFI specification, 10.2): one node; the length is correct by default. */
export function pathNode(
  type: number,
  subtype: number,
  data: Uint8Array,
  length = data.length + 4,
): Uint8Array {
  return cat(u8(type), u8(subtype), u16le(length), data)
}

export const END_NODE = pathNode(0x7f, 0xff, filled(0))

/** Returns the nodes followed by the end node. */
export function devicePath(nodes: readonly Uint8Array[]): Uint8Array {
  return cat(...nodes, END_NODE)
}

/** PciRoot(0)/Pci(device,function) */
export function pciNodes(device: number, fn: number): readonly Uint8Array[] {
  const root = pathNode(2, 1, cat(u32le(0x0a0341d0), u32le(0)))
  return [root, pathNode(1, 1, Uint8Array.of(fn, device))]
}

/** HD(n,GPT,id) */
export function partitionNode(number: number, id: string): Uint8Array {
  const blocks = cat(u32le(number), u32le(2048), u32le(0), u32le(2048), u32le(0))
  return pathNode(4, 1, cat(blocks, guidBytes(id), Uint8Array.of(2, 2)))
}

/** \EFI\…: the file, with its terminating zero. */
export function fileNode(path: string): Uint8Array {
  return pathNode(4, 4, new Uint8Array(Buffer.from(`${path}\0`, 'utf16le')))
}

/** Fv(…)/FvFile(…): an application inside the firmware. */
export function firmwareFileNodes(volume: string, file: string): readonly Uint8Array[] {
  return [pathNode(4, 7, guidBytes(volume)), pathNode(4, 6, guidBytes(file))]
}
