import { toBase64 } from '../../../bytes/base64.ts'
import type { Adding } from '../../../tenant/add/adding.ts'
import { type BootstrapRules, bootstrapRules } from '../../../tenant/add/payload/bootstrap-keys.ts'
import { readAgent } from '../../../tenant/known-agent.ts'
import { textIn } from '../../../tenant/read-members.ts'
import { TENANT_PARTS, type TenantParts } from '../../../tenant/tenant-parts.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

const withParts = (change: Partial<TenantParts>): Mutant['parts'] => ({
  tenant: { ...TENANT_PARTS, ...change },
})
const withRules = (change: Partial<BootstrapRules>): Mutant['parts'] =>
  withParts({ bootstrap: { ...bootstrapRules, ...change } })

const without = <Check extends { readonly id: string }>(checks: readonly Check[], id: string) =>
  checks.filter((check) => check.id !== id)

/** Bytes that are the same every time. */
const NO_RANDOM = { bytes: (count: number) => new Uint8Array(count).fill(7) }

/** One that asks neither this of an endorsement key, nor of its certificate, nor of the path of that to its makers. */
const notAsked = (id: string, defect: string): Mutant => ({
  id: `tenant.${id}-not-asked`,
  defect,
  parts: withParts({
    endorsementChecks: without(TENANT_PARTS.endorsementChecks, id),
    ekChecks: without(TENANT_PARTS.ekChecks, id),
    pathChecks: without(TENANT_PARTS.pathChecks, id),
  }),
})

/** Takes a record without an AK for one that has an empty AK. */
async function lookUpWithoutKey({ tenant, request }: Adding) {
  const record = await readAgent(tenant.registrar, request.agentId)
  const member = (name: string) => textIn(record, name)
  return {
    registration: {
      aik_tpm: member('aik_tpm') ?? '',
      ek_tpm: member('ek_tpm'),
      ekcert: member('ekcert'),
      mtls_cert: member('mtls_cert'),
      ip: member('ip'),
      port: String(record.port),
      regcount: 1,
    },
  }
}

/** Tenants that send the wrong data, or to the wrong peer. */
export const TENANT_MUTANTS: readonly Mutant[] = [
  {
    id: 'tenant.nonce-not-compared',
    defect: 'an identity quote over any nonce will do',
    parts: withParts({ quoteChecks: without(TENANT_PARTS.quoteChecks, 'quote.nonce') }),
  },
  {
    id: 'tenant.signature-not-verified',
    defect: 'an identity quote needs no signature of the registered key',
    parts: withParts({ quoteChecks: without(TENANT_PARTS.quoteChecks, 'quote.signature') }),
  },
  {
    id: 'tenant.key-not-bound',
    defect: 'the public key is accepted also if the quote does not cover it',
    parts: withParts({ identityChecks: without(TENANT_PARTS.identityChecks, 'identity.key') }),
  },
  {
    id: 'tenant.endorsement-not-checked',
    defect: 'an endorsement key needs no certificate',
    parts: withParts({ endorsementChecks: [] }),
  },
  notAsked('endorsement.present', 'an endorsement key needs no certificate'),
  notAsked('endorsement.readable', 'a certificate that cannot be read is passed over'),
  notAsked('endorsement.certificate', 'a certificate may be for anything'),
  notAsked('endorsement.key', 'a certificate may be for another key'),
  notAsked('endorsement.path', 'a certificate of any issuer is accepted'),
  notAsked('path.dates', 'the validity of a certificate is not checked'),
  notAsked('path.usage', 'a certificate for TLS clients will do'),
  notAsked('ekcert.end', 'the certificate of an authority will do'),
  {
    id: 'tenant.nonce-short',
    defect: 'nonces and challenges have sixteen characters',
    parts: withParts({ randomText: (random) => TENANT_PARTS.randomText(random).slice(0, 16) }),
  },
  {
    id: 'tenant.nonce-constant',
    defect: 'nonces and challenges are the same every time',
    parts: withParts({ randomText: () => 'abcdefghijABCDEFGHIJ' }),
  },
  {
    id: 'tenant.key-is-v',
    defect: 'K is V, and U is nothing',
    parts: withRules({
      split(random) {
        const { k } = bootstrapRules.split(random)
        return { k, v: k, u: new Uint8Array(k.length) }
      },
    }),
  },
  {
    id: 'tenant.keys-constant',
    defect: 'K and its halves are the same for every agent',
    parts: withRules({
      split() {
        const k = new Uint8Array(32).fill(1)
        const v = new Uint8Array(32).fill(2)
        return { k, v, u: k.map((byte, at) => byte ^ (v[at] ?? 0)) }
      },
    }),
  },
  {
    id: 'tenant.u-in-clear',
    defect: 'U is sent as it is',
    parts: withRules({ wrap: (half) => toBase64(half) }),
  },
  {
    id: 'tenant.tag-over-nothing',
    defect: 'the tag of U is over no UUID',
    parts: withRules({ authTag: (k) => bootstrapRules.authTag(k, '') }),
  },
  {
    id: 'tenant.payload-in-clear',
    defect: 'a payload is sent as it is, after as many bytes as it should have in front',
    parts: withRules({
      seal: (_, payload) => toBase64(new Uint8Array([...NO_RANDOM.bytes(32), ...payload])),
    }),
  },
  {
    id: 'tenant.proof-not-checked',
    defect: 'any answer to the challenge proves that K was derived',
    parts: withRules({ isProof: () => true }),
  },
  {
    id: 'tenant.oldest-version',
    defect: 'the oldest common version is used',
    parts: withParts({
      newestCommon: (ours, theirs) => ours.find((one) => theirs.includes(one)),
    }),
  },
  {
    id: 'tenant.unregistered-added',
    defect: 'an agent whose record has no AK is added without one',
    parts: withParts({
      pullSteps: TENANT_PARTS.pullSteps.map((step) =>
        step.id === 'add.registration' ? { ...step, run: lookUpWithoutKey } : step,
      ),
      identityChecks: TENANT_PARTS.identityChecks.map((check) => ({
        ...check,
        problem: (subject) => (subject.aik_tpm === '' ? undefined : check.problem(subject)),
      })),
    }),
  },
]
