import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { counted } from '../../report/visible.ts'

/** A log is shortened when it has more bytes than this. */
export const MOST_LOG_BYTES = 8 * 1024 * 1024

/** What stays of each end of a log that is shortened. */
const KEPT_BYTES = 1024 * 1024

const EVERY_MS = 200

const NOTICE = /^\n\[(\d[\d,]*) bytes? left out\]\n/
const LONGEST_NOTICE = 64

/** Calls `use` with a descriptor of the file; returns undefined if it does not exist, for example after its run. */
function withFile<T>(file: string, flags: 'r' | 'r+', use: (fd: number) => T): T | undefined {
  let fd: number
  try {
    fd = openSync(file, flags)
  } catch {
    return undefined
  }
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position))
}

/** The size of a file; 0 if it does not exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** The end of a file, at most `most` bytes; empty if it does not exist. */
export function readEnd(file: string, most: number): string {
  const end = withFile(file, 'r', (fd) => {
    const { size } = fstatSync(fd)
    return readAt(fd, Math.max(0, size - most), Math.min(size, most))
  })
  return end?.toString('utf8') ?? ''
}

/**
 * Replaces the middle of a log that is too long by a line with the number of bytes that it left out. The process that
 * writes the log goes on: it appends, and so writes to the new end. What it writes in this moment is lost and counted.
 */
export function shortenLog(file: string, most = MOST_LOG_BYTES, kept = KEPT_BYTES): void {
  if (sizeOf(file) <= most) return
  withFile(file, 'r+', (fd) => {
    const { size } = fstatSync(fd)
    const [notice = '', before = '0'] =
      NOTICE.exec(readAt(fd, kept, LONGEST_NOTICE).toString()) ?? []
    const end = readAt(fd, size - kept, kept)
    const dropped = fstatSync(fd).size - notice.length - 2 * kept
    const left = Number(before.replaceAll(',', '')) + dropped
    const rest = Buffer.concat([Buffer.from(`\n[${counted(left, 'byte')} left out]\n`), end])
    writeSync(fd, rest, 0, rest.length, kept)
    ftruncateSync(fd, kept + rest.length)
  })
}

/** Keeps logs short until the returned function is called, which shortens them a last time. */
export function keepShort(files: readonly string[]): () => void {
  const shorten = () => {
    for (const file of files) shortenLog(file)
  }
  const timer = setInterval(shorten, EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    shorten()
  }
}
