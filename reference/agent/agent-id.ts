import { createHash, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { checkAgentId } from '../api/agent-id.ts'
import { ApiError, StartFault } from '../errors.ts'
import type { Random } from '../platform/random.ts'
import { writeOwnFile } from './own-files.ts'

interface AgentIdRequest {
  /** `generate`, `hash_ek`, or the id itself. */
  readonly setting: string
  readonly ekKey: KeyObject
  /** Where a generated one is kept, so that it is the same after a restart. */
  readonly file: string
  readonly random: Random
}

/**
 * The id of an agent: generated once, the SHA-256 of its endorsement key's PEM, or as it was given.
 *
 * @throws {StartFault} no registrar would take it
 */
export function agentId({ setting, ekKey, file, random }: AgentIdRequest): string {
  if (setting === 'generate') return keptId(file) ?? generate(file, random)
  if (setting === 'hash_ek') return hashOf(ekKey)
  return checked(setting, 'name another with --set uuid=UUID, generate or hash_ek')
}

function hashOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'pem' }))
    .digest('hex')
}

function keptId(file: string): string | undefined {
  try {
    return checked(readFileSync(file, 'utf8').trim(), `move the file ${file} away`)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

function generate(file: string, random: Random): string {
  const id = random.uuid()
  writeOwnFile(file, `${id}\n`)
  return id
}

function checked(id: string, next: string): string {
  try {
    return checkAgentId(id)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    throw new StartFault(`the agent cannot be called ${JSON.stringify(id)}`, next, cause)
  }
}
