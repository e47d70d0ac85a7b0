/** A way to one TPM: whole commands there, whole responses back, one at a time. */
export interface Transport {
  /** @throws {TpmUnreachable} the command may or may not have run */
  exchange(command: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

/** There is no TPM at the address, or it disappeared; the message is one readable sentence. */
export class TpmUnreachable extends Error {
  override readonly name = 'TpmUnreachable'
}

/** The TPM is there and does not answer. */
export class TpmSilent extends TpmUnreachable {}

/** Bytes of the header of every command and response: tag, size, code (Part 1, 18.2). */
export const HEADER_SIZE = 10

/** More than any TPM sends (libtpms: 4096 bytes). */
export const RESPONSE_MAX = 65_536
