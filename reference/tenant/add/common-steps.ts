import { loadCertificateStore } from '../../pki/certificate-store.ts'
import { aboutAgent, findAgent } from '../known-agent.ts'
import type { TenantSession } from '../session.ts'
import { TenantFault } from '../tenant-fault.ts'
import { type Adding, type AddStep, foundBefore } from './adding.ts'
import { endorsementNotes } from './endorsement.ts'
import { runCheckScript } from './payload/run-check-script.ts'
import { readRegistration } from './registration.ts'
import { verifierBody } from './verifier-body.ts'

/** Steps that pull agents and push agents have in common. */
export const COMMON_STEPS = {
  lookUp: {
    id: 'add.registration',
    why: 'the verifier gets the key that the TPM proved to the registrar (CVE-2022-1053)',
    async run({ tenant, request }) {
      const registration = await readRegistration(tenant.registrar, request.agentId)
      const { regcount } = registration
      if (regcount > 1) tenant.say(`note: the agent has registered ${regcount} times`)
      return { registration }
    },
  },
  endorse: {
    id: 'add.endorsement',
    why: 'a TPM without a maker proves what its owner likes',
    async run(adding) {
      const problem = (await problemOf(adding)) ?? (await problemOfScript(adding))
      if (problem === undefined) return {}
      throw new TenantFault(
        'endorsement_not_proven',
        `the endorsement key of agent ${adding.request.agentId} is not good: ${problem}`,
        'name the makers of your TPMs with --set tpm_cert_store=DIRECTORY, or trust every TPM with --set require_ek_cert=False',
      )
    },
  },
  enrol: {
    id: 'add.verifier',
    why: 'from now on the verifier is responsible',
    isLasting: true,
    async run(adding) {
      const { verifier } = adding.tenant
      await verifier.ask({
        ...aboutAgent(verifier, adding.request.agentId),
        ...{ method: 'POST', verb: 'add', body: await verifierBody(adding) },
        ifMissing: 'name policies that the verifier has: assay tenant listruntimepolicies',
        ifTaken: 'delete or update it first: assay tenant delete, assay tenant update',
      })
      return {}
    },
  },
  confirm: {
    id: 'add.confirmed',
    why: 'an agent counts as added once the verifier shows it',
    async run({ tenant, request }) {
      if (request.verifierCheck) await confirmAddition(tenant, request)
      return {}
    },
  },
} as const satisfies Readonly<Record<string, AddStep>>

async function problemOf(adding: Adding): Promise<string | undefined> {
  const { config, parts } = adding.tenant
  if (!config.require_ek_cert) return undefined
  const { tpm_cert_store: places } = config
  const store = places === '' ? undefined : loadCertificateStore('tpm_cert_store', places)
  const registration = foundBefore(adding, 'registration')
  const { pathChecks, ekChecks, endorsementChecks } = parts
  const subject = { registration, store, pathChecks, ekChecks, now: parts.clock.now() }
  for (const note of endorsementNotes(registration))
    adding.tenant.say(`note: the EK certificate has ${note}`)
  return endorsementChecks.map((check) => check.problem(subject)).find(Boolean)
}

async function problemOfScript(adding: Adding): Promise<string | undefined> {
  const { ek_check_script: script, request_timeout } = adding.tenant.config
  if (script === '') return undefined
  const registration = foundBefore(adding, 'registration')
  const { agentId } = adding.request
  return runCheckScript({ script, agentId, registration, timeout: request_timeout * 1000 })
}

/** The verifier may need a moment, and several may share the work. */
async function confirmAddition(
  { verifier, parts, waits }: TenantSession,
  { agentId, verifierId }: Adding['request'],
): Promise<void> {
  for (const wait of [0, ...waits]) {
    if (wait > 0) await parts.pause(wait)
    const record = await findAgent(verifier, agentId)
    if (record === undefined) continue
    if (verifierId === undefined || record.verifier_id === verifierId) return
    throw new TenantFault(
      'refused',
      `agent ${agentId} was added to the verifier ${JSON.stringify(record.verifier_id)}, and not to ${JSON.stringify(verifierId)}`,
      'ask the verifier of that name with --cv and --cvport',
    )
  }
  throw new TenantFault(
    'not_found',
    `the verifier at ${verifier.peer.address} took agent ${agentId}, and does not show it`,
    'look at the log of the verifier',
  )
}
