import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { StartFault } from '../../errors.ts'
import { writeOwnFile } from '../own-files.ts'

const AgentData = Type.Object({
  ak_hash_alg: Type.String(),
  ak_sign_alg: Type.String(),
  ak_key_alg: Type.String(),
  /** base64 of TPM2B_PUBLIC and TPM2B_PRIVATE */
  ak_public: Type.String(),
  ak_private: Type.String(),
  /** hex of the SHA-256 of the endorsement key's TPM2B_PUBLIC */
  ek_hash: Type.String(),
})

/** State that an agent keeps across restarts; the key in it is usable only with its TPM. */
export type AgentData = Static<typeof AgentData>

const validator = Compile(AgentData)

/**
 * The data of an earlier start; undefined if there is none.
 *
 * @throws {StartFault} the file is there and cannot be used: it is not replaced in silence, as another key needs another registration
 */
export function readAgentData(file: string): AgentData | undefined {
  const data = parse(file)
  if (data === undefined || validator.Check(data)) return data
  throw unusable(file)
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, cause)
  }
}

function unusable(file: string, cause?: unknown): StartFault {
  return new StartFault(
    `${file} is not a valid attestation key file of an agent`,
    'move the file away: the agent then makes another key, and has to be registered anew',
    cause,
  )
}

export function writeAgentData(file: string, data: AgentData): void {
  writeOwnFile(file, `${JSON.stringify(data, undefined, 2)}\n`)
}
