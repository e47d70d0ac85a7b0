import { createHash } from 'node:crypto'
import type { CertificateDefect } from '../../../conformance/client/agents/ek-certificates.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { readQuote } from '../../../conformance/oracle/read-quote.ts'
import type { Again } from '../../../conformance/peers/tenant-servers.ts'
import type { StageOptions } from '../../../conformance/peers/tenants.ts'
import type { Results } from '../../../simulator/agents/misbehaviour.ts'
import { nodeKeyOf } from '../../../simulator/agents/node-key.ts'

/** An agent to which a tenant must not send the U key. */
interface Impostor {
  readonly id: string
  readonly says: string
  readonly requirement: string
  readonly needs?: readonly string[]
  stage(): StageOptions
}

const OTHER_NONCE = 'A0A0A0A0A0A0A0A0A0A0'

/** Flips a bit of the signature, which is the second part of a quote. */
function resigned({ quote, ...rest }: Results): Results {
  const [message = '', signature = '', pcrs = ''] = String(quote).split(':')
  const bytes = unbase64(signature)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return { ...rest, quote: [message, Buffer.from(bytes).toString('base64'), pcrs].join(':') }
}

const OTHER_KEY = nodeKeyOf('a stranger').publicPem

/** A quote of the agent beside a PCR 16 that holds another key: what another host may make of the answer of the agent. */
function relayed({ quote, ...rest }: Results): Results {
  const [message = '', signature = '', pcrs = ''] = String(quote).split(':')
  const blob = Buffer.from(unbase64(pcrs))
  const [own = new Uint8Array()] = readQuote(String(quote)).pcrs?.values ?? []
  const measured = createHash('sha256').update(OTHER_KEY).digest()
  const forged = createHash('sha256').update(Buffer.alloc(32)).update(measured).digest()
  blob.set(forged, blob.indexOf(own))
  const parts = [message, signature, blob.toString('base64')]
  return { ...rest, quote: parts.join(':'), pubkey: OTHER_KEY }
}

/** Needed by certificates whose defect is one of the profile of EK certificates. */
const OF_PROFILE = { needs: ['ek_profile'] }

/** Agents to which a verifying tenant does not send the U key; some have registered twice. */
export const tenantImpostors: readonly Impostor[] = [
  {
    id: 'stale-quote',
    says: 'whose quote is over another nonce',
    requirement: 'TEN-CHECKS-IDENTITY',
    stage: () => ({ mutateIdentity: (_truth: Results, again: Again) => again(OTHER_NONCE) }),
  },
  {
    id: 'quote-without-nonce',
    says: 'whose quote is over no nonce',
    requirement: 'TEN-CHECKS-IDENTITY',
    stage: () => ({
      registrations: 2,
      mutateIdentity: (_truth: Results, again: Again) => again(''),
    }),
  },
  {
    id: 'signature-altered',
    says: 'whose quote its key has not signed',
    requirement: 'TEN-CHECKS-IDENTITY',
    stage: () => ({ mutateIdentity: resigned }),
  },
  {
    id: 'key-of-another',
    says: 'whose public key is not the one in its quote',
    requirement: 'TEN-SENDS-U-ENCRYPTED',
    stage: () => ({
      registrations: 2,
      mutateIdentity: (truth) => ({ ...truth, pubkey: OTHER_KEY }),
    }),
  },
  {
    id: 'key-of-another-in-pcr',
    says: 'whose public key is in a PCR 16 that its quote is not over',
    requirement: 'TEN-SENDS-U-ENCRYPTED',
    stage: () => ({ mutateIdentity: relayed }),
  },
  {
    id: 'certificate-of-nobody',
    says: 'that is registered without an EK certificate',
    requirement: 'TEN-CHECKS-EK-MISSING',
    stage: () => ({
      registrations: 2,
      mutateRecord: ({ ekcert: _, ...record }) => ({ ...record, ekcert: '' }),
    }),
  },
  {
    id: 'without-tls',
    says: 'that is registered without a certificate and speaks no TLS',
    requirement: 'TEN-CHECKS-AGENT',
    stage: () => ({ withoutTls: true }),
  },
  {
    id: 'ekcert-key-unreadable',
    says: 'whose registered EK is unreadable, with an EK certificate',
    requirement: 'TEN-CHECKS-EK',
    stage: () => ({
      registrations: 2,
      mutateRecord: (record) => ({ ...record, ek_tpm: 'AAAA' }),
    }),
  },
  ...[
    certified('another-maker', { says: 'was issued by an untrusted maker' }),
    certified('other-key', { says: 'is for the key of another TPM', registrations: 2 }),
    certified('expired', { says: 'is of an earlier decade' }),
    certified('other-use', { says: 'is for TLS clients', registrations: 2, ...OF_PROFILE }),
    certified('authority', { says: 'is a CA certificate', ...OF_PROFILE }),
    certified('issuer-expired', {
      ...{ says: 'was issued by a CA that has expired', registrations: 2 },
      ...OF_PROFILE,
    }),
    certified('path-too-long', {
      says: 'was issued below a CA that may issue to TPMs only',
      ...OF_PROFILE,
    }),
    certified('cut', { says: 'lacks its last bytes', registrations: 2 }),
  ],
]

function certified(
  defect: CertificateDefect,
  {
    says,
    needs = [],
    registrations = 1,
  }: Pick<Impostor, 'says' | 'needs'> & Pick<StageOptions, 'registrations'>,
): Impostor {
  return {
    id: `ekcert-${defect}`,
    says: `whose registered EK certificate ${says}`,
    requirement: 'TEN-CHECKS-EK',
    needs,
    stage: () => ({ registrations, ekCertificate: defect }),
  }
}
