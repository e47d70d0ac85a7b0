import { X509Certificate } from 'node:crypto'
import { API_VERSIONS, prefixesOf } from '../../api/versions.ts'
import { ApiError } from '../../errors.ts'
import { signed } from '../revocation/compose-notice.ts'
import type { AddAgentRequest } from '../shapes/agent-shape.ts'

/** A member of an add-agent request, and what is wrong with a value that cannot be used. */
interface MemberRule {
  readonly member: keyof AddAgentRequest
  readonly needed: string
  isUsable(value: string): boolean
}

const LAST_PORT = 65_535

/** Rules for members that are used long after the agent was added: then no client can be told of an error. */
const RULES: readonly MemberRule[] = [
  {
    member: 'cloudagent_ip',
    needed: 'an IP address or a host name is needed',
    isUsable: (text) => /^[A-Za-z0-9.:%_-]{1,255}$/.test(text),
  },
  {
    member: 'cloudagent_port',
    needed: `a port number up to ${LAST_PORT} is needed`,
    isUsable: (text) => /^\d{1,5}$/.test(text) && Number(text) <= LAST_PORT,
  },
  {
    member: 'mtls_cert',
    needed: 'a certificate in PEM is needed, or "disabled"',
    isUsable: (text) => text === 'disabled' || isCertificateText(text),
  },
  {
    member: 'supported_version',
    needed: `one of ${API_VERSIONS.join(', ')} is needed`,
    isUsable: (text) => API_VERSIONS.flatMap(prefixesOf).includes(`/v${text}`),
  },
  {
    member: 'revocation_key',
    needed: 'the PEM of a private key is needed, as it signs revocation messages',
    isUsable: canSign,
  },
]

/**
 * Refuses an agent with a member that cannot be used; absent, null and empty members are not given.
 *
 * @throws {ApiError} `malformed_request` naming the member, without its value
 */
export function checkAgentMembers(request: AddAgentRequest): void {
  for (const { member, needed, isUsable } of RULES) {
    const value = request[member] ?? ''
    if (value === '' || isUsable(String(value))) continue
    throw new ApiError('malformed_request', `${member}: ${needed}`, { pointer: `/${member}` })
  }
}

function isCertificateText(text: string): boolean {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    new X509Certificate(text)
    return true
  } catch {
    return false
  }
}

function canSign(key: string): boolean {
  try {
    return signed(key, '{}') !== ''
  } catch {
    return false
  }
}
