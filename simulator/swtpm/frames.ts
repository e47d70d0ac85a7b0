import { cat } from '../tpm/write.ts'

const HEADER = 10
/** Larger than any command of a TPM (libtpms: 4096 bytes). */
const FRAME_MAX = 65_536

/**
 * Splits a byte stream into TPM commands or responses by the size in their header. Buffers one incomplete frame.
 * `push` returns the complete frames, or undefined if a header states an impossible size: the stream has no
 * boundaries after that.
 */
export class FrameSplitter {
  #held: Uint8Array = new Uint8Array()

  push(chunk: Uint8Array): Uint8Array[] | undefined {
    let bytes = cat(this.#held, chunk) // copied, so that frames do not share the socket's Buffer
    const frames: Uint8Array[] = []
    while (bytes.length >= HEADER) {
      const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2)
      if (size < HEADER || size > FRAME_MAX) return undefined
      if (bytes.length < size) break
      frames.push(bytes.subarray(0, size))
      bytes = bytes.subarray(size)
    }
    this.#held = bytes
    return frames
  }
}
