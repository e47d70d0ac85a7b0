import { toBase64 } from '../../../bytes/base64.ts'
import { toHex } from '../../../bytes/hex.ts'
import { makeStubAttester, quoted } from '../../../evidence/testing/stub-attester.ts'
import { listOf, pcrAfter, writeEntry } from '../../../evidence/testing/written-list.ts'
import { nameOf } from '../../../tpm/name.ts'
import { runtimePolicy } from '../runtime-policy.ts'
import { proofRequest, type SessionDocument, sessionRequest } from './push-requests.ts'

/** Asks a verifier something and gives its JSON; throws when it is refused. */
export type Ask = (
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  request?: { readonly payload?: object; readonly headers?: Readonly<Record<string, string>> },
) => Promise<unknown>

/** A machine with a key and a list of files, which attests as a push agent does. */
export interface PushMachine {
  readonly id: string
  /** Adds it with its runtime policy; takes an administrator's connection. */
  enrol(ask: Ask): Promise<void>
  /** Opens a session, whose token it shows from then on. */
  authenticate(ask: Ask): Promise<void>
  /** Asks for a challenge, and gives the evidence for it without sending it. */
  begin(ask: Ask): Promise<Begun>
  /** Sends evidence; resolves when it is accepted, which is before its evaluation. */
  submit(ask: Ask, begun: Begun): Promise<void>
  /** The attestation, after its evaluation. */
  verdict(ask: Ask, begun: Begun): Promise<string>
}

export interface Begun {
  readonly index: string
  readonly payload: object
}

interface AttestationReply {
  readonly data: {
    readonly id: string
    readonly attributes: {
      readonly stage: string
      readonly evaluation: string
      readonly evidence_requested?: readonly Requested[]
    }
  }
}

interface Requested {
  readonly evidence_class: string
  readonly evidence_type: string
  readonly chosen_parameters: Readonly<Record<string, unknown>>
}

const LAST_TRY = 60_000

function entriesOf(count: number) {
  return Array.from({ length: count }, (_, number) => {
    const digest = { algorithm: 'sha256', hex: number.toString(16).padStart(64, '0') }
    return writeEntry({ template: 'ima-ng', name: `/usr/lib/module-${number}.so`, digest })
  })
}

/** A machine with `entries` entries in its list, none of which comes later; `broken`: its quotes are over nothing. */
export function pushMachine(id: string, entries = 100, broken = false): PushMachine {
  const attester = makeStubAttester()
  const key = toBase64(attester.tpm2bPublic)
  const list = entriesOf(entries)
  const pcr10 = new Uint8Array(pcrAfter(list))
  const attested = quoted([{ bank: 'sha256', values: new Map([[10, pcr10]]) }])
  const path = `/v3/agents/${id}/attestations`
  let clock = 1000n
  let headers: Readonly<Record<string, string>> = {}

  const quote = (challenge: string) => {
    clock += 10n
    const extraData = new Uint8Array(Buffer.from(broken ? '' : challenge, 'base64'))
    const clockInfo = { clock, resetCount: 1, restartCount: 0, safe: true }
    const { message, signature } = attester.attest({ extraData, attested, clockInfo })
    return {
      subject_data: { 10: toHex(pcr10) },
      message: toBase64(message),
      signature: toBase64(signature),
    }
  }
  const collect = (item: Requested) => {
    const { evidence_class, evidence_type, chosen_parameters: chosen } = item
    if (evidence_type === 'tpm_quote')
      return { evidence_class, evidence_type, data: quote(String(chosen['challenge'])) }
    const left = list.slice(Number(chosen['starting_offset']))
    const lines = Buffer.from(listOf(left)).toString()
    return { evidence_class, evidence_type, data: { entry_count: left.length, entries: lines } }
  }
  return {
    id,
    async enrol(ask) {
      const digests = list.map((_, number) => [
        `/usr/lib/module-${number}.so`,
        [number.toString(16).padStart(64, '0')],
      ])
      const policy = runtimePolicy(Object.fromEntries(digests))
      const runtime_policy = toBase64(Buffer.from(policy))
      await ask('POST', `/v2.5/agents/${id}`, { payload: { ak_tpm: key, runtime_policy } })
    },
    async authenticate(ask) {
      const opened = (await ask('POST', '/v3/sessions', { payload: sessionRequest(id) })) as {
        readonly data: SessionDocument
      }
      const [asked] = opened.data.attributes.authentication_requested ?? []
      const extraData = new Uint8Array(
        Buffer.from(asked?.chosen_parameters.challenge ?? '', 'base64'),
      )
      const value = { name: nameOf(attester.tpm2bPublic), qualifiedName: new Uint8Array() }
      const certified = { kind: 'certify', value } as const
      const proof = attester.attest({ type: 0x8017, extraData, attested: certified })
      const data = { message: toBase64(proof.message), signature: toBase64(proof.signature) }
      const payload = proofRequest(id, data)
      const session = (await ask('PATCH', `/v3/sessions/${opened.data.id}`, { payload })) as {
        readonly data: SessionDocument
      }
      headers = { authorization: `Bearer ${session.data.attributes.token}` }
    },
    async begin(ask) {
      const payload = capabilitiesOf(key, entries)
      const { data } = (await ask('POST', path, { payload, headers })) as AttestationReply
      const evidence_collected = (data.attributes.evidence_requested ?? []).map(collect)
      const answer = { data: { type: 'attestation', attributes: { evidence_collected } } }
      return { index: data.id, payload: answer }
    },
    async submit(ask, { index, payload }) {
      await ask('PATCH', `${path}/${index}`, { payload, headers })
    },
    async verdict(ask, { index }) {
      const deadline = Date.now() + LAST_TRY
      for (;;) {
        const { data } = (await ask('GET', `${path}/${index}`, { headers })) as AttestationReply
        const { stage, evaluation } = data.attributes
        if (stage === 'verification_complete') return evaluation
        if (Date.now() > deadline)
          throw new Error(`attestation ${index} of ${id} was not evaluated`)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
  }
}

function capabilitiesOf(key: string, entry_count: number) {
  const certification_key = {
    key_class: 'asymmetric',
    key_algorithm: 'ecc',
    key_size: 256,
    server_identifier: 'ak',
    public: key,
  }
  const evidence_supported = [
    {
      evidence_class: 'certification',
      evidence_type: 'tpm_quote',
      capabilities: {
        signature_schemes: ['ecdsa'],
        hash_algorithms: ['sha256'],
        available_subjects: [0, 1, 2, 3, 4, 5, 6, 7, 10, 16],
        certification_keys: [certification_key],
      },
    },
    {
      evidence_class: 'log',
      evidence_type: 'ima_log',
      capabilities: { entry_count, supports_partial_access: true, formats: ['text/plain'] },
    },
  ]
  const system_info = { boot_time: '2026-01-01T00:00:00Z' }
  return { data: { type: 'attestation', attributes: { evidence_supported, system_info } } }
}
