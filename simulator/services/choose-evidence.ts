import type { ServedReply } from './service.ts'
import {
  type Attestation,
  type Attributes,
  endTimestamp,
  freshNonce,
  type Requested,
  timestamp,
  type VerifierSettings,
} from './verifier-truth.ts'

/** State of an agent at its offer of evidence. */
interface Negotiating {
  readonly agentId: string
  readonly index: number
  /** Entries of its list that it has sent already. */
  readonly offset: number
  /** `data.attributes` of its request. */
  readonly offered: Attributes
  readonly prefix: string
  readonly now: number
}

/** Returns a member of a value that may not be an object; undefined if absent. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Attributes)[name] : undefined
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Requests a quote and the offered logs, by the first or the last key, scheme, hash algorithm and format. */
export function beginAttestation(
  negotiating: Negotiating,
  settings: VerifierSettings,
): { readonly attestation: Attestation; readonly reply: ServedReply } {
  const { agentId, index, offered, prefix, now } = negotiating
  const challenge = freshNonce(settings.nonceBytes)
  const items = inOrder(listIn(offered['evidence_supported']), settings)
  const requested = items.flatMap((item) => requestOf(item, challenge, negotiating, settings))
  const path = `${prefix}/agents/${encodeURIComponent(agentId)}/attestations/${index}`
  const attributes = {
    stage: 'awaiting_evidence',
    evidence_requested: requested,
    system_info: offered['system_info'],
    capabilities_received_at: timestamp(now, settings),
    challenges_expire_at: endTimestamp(now + settings.challengeMs, settings),
  }
  const data = { type: 'attestation', id: String(index), attributes, links: { self: path } }
  return {
    attestation: { index, challenge, requested, systemInfo: offered['system_info'] },
    reply: { status: 201, body: { data }, headers: { location: path } },
  }
}

function inOrder(
  items: readonly unknown[],
  { logsFirst }: Pick<VerifierSettings, 'logsFirst'>,
): readonly unknown[] {
  if (!logsFirst) return items
  const isQuote = (item: unknown) => Number(member(item, 'evidence_type') === 'tpm_quote')
  return items.toSorted((one, other) => isQuote(one) - isQuote(other))
}

function requestOf(
  item: unknown,
  challenge: string,
  { offset }: Negotiating,
  settings: VerifierSettings,
): readonly Requested[] {
  const type = String(member(item, 'evidence_type'))
  const chosen = CHOSEN[type]?.(member(item, 'capabilities'), { challenge, offset, settings })
  const evidence_class = String(member(item, 'evidence_class'))
  return chosen ? [{ evidence_class, evidence_type: type, chosen_parameters: chosen }] : []
}

interface Choosing {
  readonly challenge: string
  readonly offset: number
  readonly settings: VerifierSettings
}

const KEY_MEMBERS = ['key_class', 'key_algorithm', 'key_size', 'server_identifier']
/** Members that the document does not define for an answer; agents of the upstream dialect read them there. */
const UPSTREAM_KEY_MEMBERS = ['local_identifier', 'public']

function oneOf(offered: unknown, { chooses }: VerifierSettings): unknown {
  return listIn(offered).at(chooses === 'first' ? 0 : -1)
}

const CHOSEN: Readonly<
  Record<string, (offered: unknown, choosing: Choosing) => Attributes | undefined>
> = {
  tpm_quote(offered, { challenge, settings }) {
    const { pcrs } = settings
    const key = oneOf(member(offered, 'certification_keys'), settings)
    const chosen = (name: string, other: string) =>
      oneOf(member(key, name), settings) ?? oneOf(member(offered, other), settings)
    const hash = chosen('allowable_hash_algorithms', 'hash_algorithms')
    const subjects = member(offered, 'available_subjects')
    const named = member(key, 'local_identifier') === undefined ? [] : UPSTREAM_KEY_MEMBERS
    return {
      challenge,
      signature_scheme: chosen('allowable_signature_schemes', 'signature_schemes'),
      hash_algorithm: hash,
      selected_subjects: Array.isArray(subjects) ? pcrs : { [String(hash)]: pcrs },
      certification_key: Object.fromEntries(
        [...KEY_MEMBERS, ...named].map((name) => [name, member(key, name)]),
      ),
    }
  },
  ima_log(offered, { offset, settings }) {
    const rest = Math.max(0, (Number(member(offered, 'entry_count')) || 0) - offset)
    const count = settings.chooses === 'last' && rest > 1 ? rest - 1 : rest
    return {
      starting_offset: offset,
      ...(settings.countsEntries ? { entry_count: count } : {}),
      format: oneOf(member(offered, 'formats'), settings),
    }
  },
  uefi_log(offered, { settings }) {
    return settings.bootLog ? { format: oneOf(member(offered, 'formats'), settings) } : undefined
  },
}
