import { bodyParser } from '../../api/bodies/parse-body.ts'
import { type Call, type Handler, parameter, versionOf } from '../../api/call.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { agentNotRegistered } from '../../errors.ts'
import { checkQuoteOfKey } from '../../evidence/deep-quote/deep-quote.ts'
import {
  type DeepQuote,
  parseDeepQuoteString,
} from '../../evidence/deep-quote/deep-quote-string.ts'
import type { Finding } from '../../evidence/findings.ts'
import type { RegistrationRow } from '../../storage/databases/database.ts'
import { readPending } from '../contact.ts'
import { readMember, refuse } from '../refuse.ts'
import type { RegistrarParts } from '../registrar-parts.ts'
import { VirtualActivationRequest } from '../registration-shape.ts'

const parseRequest = bodyParser(VirtualActivationRequest, 'malformed_request')

type Rules = Pick<RegistrarParts, 'rules'>

/**
 * PUT …/agents/{agent_id}/vactivate (interface document, "Legacy v2 listing"): the activation of an agent whose TPM is
 * virtual, by a deep quote (docs/deep-quotes.md). The quote of the virtual TPM proves what `auth_tag` does, and that of the
 * host that it runs on the TPM that the provider's registrar has for this agent. Only a guest that proved itself causes a
 * question to that registrar.
 */
export function activateVirtualAgent(parts: RegistrarParts): Handler {
  const { store, lookUpHost } = parts
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const quotes = readDeepQuote(call)
    const row = await store.find(agentId)
    if (row === undefined) throw agentNotRegistered(agentId)
    if (lookUpHost === undefined) throw refuse('deepquote', NO_PROVIDER)
    checkGuest(parts, quotes, row)
    const hostKey = await lookUpHost(agentId)
    if (hostKey === undefined) throw refuse('deepquote', NO_HOST)
    checkHost(parts, quotes, hostKey)
    await store.change(agentId, (present) => {
      if (present === undefined) throw agentNotRegistered(agentId)
      // It may have been registered again meanwhile.
      checkGuest(parts, quotes, present)
      return { ...present, ...readPending(present), pending: null, active: 1 }
    })
    return {}
  }
}

const NO_PROVIDER =
  "provider_registrar_ip names no provider's registrar here, which knows the host; activate with auth_tag instead"

const NO_HOST = "the provider's registrar has no active host of this agent"

function readDeepQuote(call: Call): DeepQuote {
  const { deepquote } = parseRequest(call.body)
  return readMember('deepquote', () => {
    const text = Buffer.from(fromBase64(deepquote, 'deepquote')).toString('latin1')
    return parseDeepQuoteString(text, versionOf(call) === '1.0' ? 'zlib' : 'plain')
  })
}

function checkGuest({ rules }: Rules, { guest }: DeepQuote, row: RegistrationRow): void {
  const { deepQuotes } = rules
  const key = fromBase64(row.aik_tpm)
  const proof = { tag: row.expected_tag, ak: key, ek: fromBase64(row.ek_tpm) }
  const nonce = deepQuotes.activationNonce(proof)
  refuseFirst(
    'the virtual TPM',
    checkQuoteOfKey({ quote: guest, key, nonce }, deepQuotes.guestChecks),
  )
}

function checkHost({ rules }: Rules, { guest, host }: DeepQuote, key: Uint8Array): void {
  const { deepQuotes } = rules
  const nonce = deepQuotes.hostNonce(guest)
  refuseFirst('the host', checkQuoteOfKey({ quote: host, key, nonce }, deepQuotes.hostChecks))
}

function refuseFirst(whose: string, [first]: readonly Finding[]): void {
  if (first !== undefined) throw refuse('deepquote', `quote of ${whose}: ${first.context.message}`)
}
