import { X509Certificate } from 'node:crypto'
import type { VerifierConfig } from '../../config/config.ts'
import { ApiError } from '../../errors.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import type { AgentMode } from '../operational-state.ts'
import { isCertificate } from './pull-rules.ts'

type Contact = Pick<AgentRow, 'ip' | 'port' | 'mtls_cert'>
type Modes = Pick<VerifierConfig, 'mode' | 'enable_agent_mtls'>

/**
 * Whether an added agent is polled, or is a push agent. With `mode = both` it is asked when the request has where it
 * listens and the certificate it listens with, until it sends evidence by itself. With `mode = pull` both must be there, with
 * `mode = push` they are stored and the agent is not polled.
 *
 * @throws {ApiError} `malformed_request` naming the member without which it cannot be asked
 */
export function checkMode(config: Modes, contact: Contact): AgentMode {
  if (config.mode === 'push') return 'push'
  if (config.mode === 'both' && !canBeAsked(config, contact)) return 'push'
  checkContact(contact)
  checkCertificate(config, contact)
  return 'pull'
}

function canBeAsked({ enable_agent_mtls }: Modes, { ip, port, mtls_cert }: Contact): boolean {
  return Boolean(ip) && Boolean(port) && (!enable_agent_mtls || isCertificate(mtls_cert))
}

function checkContact({ ip, port }: Contact): void {
  if (!ip) throw missing('cloudagent_ip', 'the address of the agent is needed')
  const number = /^\d{1,5}$/.test(port ?? '') ? Number(port) : 0
  if (number < 1 || number > 65_535)
    throw missing('cloudagent_port', 'a port number of the agent is needed')
}

function checkCertificate({ enable_agent_mtls }: Modes, { mtls_cert }: Contact): void {
  if (!isCertificate(mtls_cert)) {
    if (enable_agent_mtls) throw missing('mtls_cert', 'mTLS certificate for agent is required!')
    return
  }
  try {
    new X509Certificate(mtls_cert)
  } catch {
    throw missing('mtls_cert', 'the certificate of the agent cannot be read')
  }
}

function missing(member: string, problem: string): ApiError {
  return new ApiError('malformed_request', `${member}: ${problem}`, { pointer: `/${member}` })
}
