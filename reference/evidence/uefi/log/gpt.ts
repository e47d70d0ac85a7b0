import type { Reader } from '../../../bytes/reader.ts'
import { readGuid } from './guid.ts'
import { textOf } from './text-of.ts'

/** UEFI_GPT_DATA (PFP 10.2.5): a partition table as it was measured. */
export interface MeasuredGpt {
  readonly disk: string
  /** partitions in use, by their own GUIDs */
  readonly partitions: readonly string[]
}

const SIGNATURE = 'EFI PART'
const BEFORE_DISK = 56
const LEAST_ENTRY = 32

/** Reads a header, the number of the partitions in use, and these; the number is checked against the remaining bytes. */
export function readGpt(reader: Reader): MeasuredGpt {
  const { disk, entrySize } = reader.field('.uefiPartitionHeader', () => readHeader(reader))
  const count = reader.field('.numberOfPartitions', () => reader.u64())
  if (count * BigInt(entrySize) !== BigInt(reader.remaining))
    throw reader.error(
      `${count} partitions of ${entrySize} bytes, ${reader.remaining} byte(s) left`,
    )
  const partitions: string[] = []
  while (reader.remaining > 0) partitions.push(readPartition(reader, entrySize))
  return { disk, partitions }
}

/** EFI_PARTITION_TABLE_HEADER (UEFI 5.3.2), 92 bytes. */
function readHeader(reader: Reader): { readonly disk: string; readonly entrySize: number } {
  const at = reader.offset
  const signature = textOf(reader.take(SIGNATURE.length))
  if (signature !== SIGNATURE) throw reader.error('does not begin with EFI PART', at)
  reader.take(BEFORE_DISK - SIGNATURE.length)
  const disk = readGuid(reader)
  reader.u64()
  reader.u32()
  const entrySize = reader.u32()
  reader.u32()
  if (entrySize < LEAST_ENTRY) throw reader.error(`partition entries of ${entrySize} bytes`, at)
  return { disk, entrySize }
}

function readPartition(reader: Reader, size: number): string {
  reader.take(16)
  const guid = readGuid(reader)
  reader.take(size - LEAST_ENTRY)
  return guid
}
