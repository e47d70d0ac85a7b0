import { cat } from '../tpm/write.ts'

const HEADER = 10
/** More than any TPM takes in one command (libtpms: 4096 bytes). */
const FRAME_MAX = 65_536

/**
 * Cuts a byte stream into TPM commands or responses by the size in their header. It holds one unfinished frame.
 * `push` gives the frames that are whole, or undefined when a header states an impossible size:
 * the stream has no boundaries after that.
 */
export class FrameSplitter {
  #held: Uint8Array = new Uint8Array()

  push(chunk: Uint8Array): Uint8Array[] | undefined {
    let bytes = cat(this.#held, chunk) // a copy: what is cut out of a socket's Buffer stays its own
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
