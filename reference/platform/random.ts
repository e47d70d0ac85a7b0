import { randomBytes, randomUUID } from 'node:crypto'

/** Randomness as a parameter; only a test gives another one. */
export interface Random {
  bytes(count: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
}
