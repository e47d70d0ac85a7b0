import { fromHex, toHex } from '../tpm/write.ts'

/** GUIDs that firmware writes, in the text form of the UEFI specification. */
export const GUIDS = {
  globalVariable: '8be4df61-93ca-11d2-aa0d-00e098032b8c',
  imageSecurity: 'd719b2cb-3d3a-4596-a3bc-dad00e67656f',
  shim: '605dab50-e046-4300-abb6-3dd810dd8b23',
  certX509: 'a5c059a1-94e4-4aa7-87b5-ab155c2bf072',
  certSha256: 'c1c41626-504c-4092-aca9-41f936934328',
  efiSystemPartition: 'c12a7328-f81f-11d2-ba4b-00a0c93ec93b',
  systemdBootLoader: '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f',
} as const

/** Byte lengths of the numeric parts of a GUID, which are little-endian; the rest is bytes. */
const PARTS = [4, 2, 2] as const

function swapped(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice()
  let at = 0
  for (const size of PARTS) {
    out.subarray(at, at + size).reverse()
    at += size
  }
  return out
}

/** Returns the sixteen bytes of a GUID as firmware stores it (UEFI specification, appendix A). */
export function guidBytes(text: string): Uint8Array {
  return swapped(fromHex(text.replaceAll('-', '')))
}

/** Returns the text form of sixteen bytes. */
export function guidText(bytes: Uint8Array): string {
  const hex = toHex(swapped(bytes))
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-')
}
