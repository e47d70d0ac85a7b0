import { toBase64 } from '../../../bytes/base64.ts'
import { agentNotRegistered } from '../../../errors.ts'
import type { Check } from '../../../evidence/check.ts'
import { quoteChecks } from '../../../evidence/quote/quote.ts'
import type { QuoteCase } from '../../../evidence/quote/quote-case.ts'
import { makeStubAttester } from '../../../evidence/testing/stub-attester.ts'
import { registrationLookup } from '../../../http-client/look-up-registration.ts'
import { agentStore } from '../../../storage/agent-store.ts'
import { policyStore } from '../../../storage/policy-store.ts'
import {
  inProcessEvaluators,
  shippedChecks,
} from '../../../verifier/evaluation/in-process-evaluator.ts'
import { OPERATIONAL_MOVES, type OperationalEvent } from '../../../verifier/operational-state.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { storing } from './storing.ts'

/** The parts with one check of identity quotes left out. */
function withoutCheck(id: string): Mutant['parts'] {
  const identity: readonly Check<QuoteCase>[] = quoteChecks.filter((check) => check.id !== id)
  return { evaluator: inProcessEvaluators({ ...shippedChecks, identity }) }
}

/** The parts in which an event leaves every agent where it is. */
function withoutEffect(event: OperationalEvent): Mutant['parts'] {
  const operationalMoves = OPERATIONAL_MOVES.map((move) =>
    move.event === event && move.from !== undefined ? { ...move, to: move.from } : move,
  )
  return { operationalMoves }
}

/** Verifiers whose operations on agents, policies and identities are wrong in one place. */
export const VERIFIER_MUTANTS: readonly Mutant[] = [
  {
    id: 'identity-signature-not-checked',
    defect: 'an identity quote may be signed by any key',
    parts: withoutCheck('quote.signature'),
  },
  {
    id: 'identity-nonce-not-checked',
    defect: 'an identity quote may be over any nonce',
    parts: withoutCheck('quote.nonce'),
  },
  {
    id: 'identity-values-not-checked',
    defect: 'an identity quote may come with any PCR values',
    parts: withoutCheck('quote.pcr-digest'),
  },
  {
    id: 'stop-does-nothing',
    defect: 'stopping an agent has no effect',
    parts: withoutEffect('stopped'),
  },
  {
    id: 'stopped-agent-attests',
    defect: 'a stopped agent is shown as stopped, and may attest',
    parts: { mayAttest: () => true },
  },
  {
    id: 'reactivation-does-nothing',
    defect: 'a stopped agent cannot be reactivated',
    parts: withoutEffect('reactivated'),
  },
  {
    id: 'unregistered-agent-added',
    defect: 'an unregistered agent is added with a made-up key',
    parts: {
      registrationLookup: (client) => (agentId) => {
        const aik_tpm = toBase64(makeStubAttester().tpm2bPublic)
        const unregistered = { aik_tpm, mtls_cert: null, regcount: 1 }
        return registrationLookup(client)(agentId).catch(() => unregistered)
      },
    },
  },
  {
    id: 'registrar-not-asked',
    defect: 'an agent is not added without its key, although the registrar has it',
    parts: { registrationLookup: () => (agentId) => Promise.reject(agentNotRegistered(agentId)) },
  },
  {
    id: 'boot-policy-not-replaced',
    defect: 'a boot policy that is replaced stays the old one',
    parts: storing((database) => {
      const bootPolicies = policyStore(database, 'boot_policies')
      const replace = async (row: { readonly name: string }) =>
        (await bootPolicies.find(row.name)) !== undefined
      return { bootPolicies: { ...bootPolicies, replace } }
    }),
  },
  {
    id: 'deleted-boot-policy-stays',
    defect: 'deleting a boot policy has no effect',
    parts: storing((database) => {
      const remove = () => Promise.resolve({ outcome: 'removed' } as const)
      return { bootPolicies: { ...policyStore(database, 'boot_policies'), remove } }
    }),
  },
  {
    id: 'taken-name-overwritten',
    defect: 'adding a boot policy under a name that is taken is refused, and replaces it',
    parts: storing((database) => {
      const bootPolicies = policyStore(database, 'boot_policies')
      const add = async (row: { readonly name: string; readonly mb_policy: string }) =>
        !(await bootPolicies.replace(row)) && bootPolicies.add(row)
      return { bootPolicies: { ...bootPolicies, add } }
    }),
  },
  {
    id: 'boot-policy-in-use-deleted',
    defect: 'a boot policy is deleted although agents use it',
    parts: storing((database) => {
      const remove = async (name: string) => {
        await database.deleteFrom('boot_policies').where('name', '=', name).execute()
        return { outcome: 'removed' } as const
      }
      return { bootPolicies: { ...policyStore(database, 'boot_policies'), remove } }
    }),
  },
  {
    id: 'boot-policy-not-kept',
    defect: 'a boot policy is taken under one name, and kept under another',
    parts: storing((database) => {
      const bootPolicies = policyStore(database, 'boot_policies')
      const add = (row: { readonly name: string; readonly mb_policy: string }) =>
        bootPolicies.add({ ...row, name: `${row.name}.json` })
      return { bootPolicies: { ...bootPolicies, add } }
    }),
  },
  {
    id: 'boot-policy-name-ignored',
    defect: 'an agent that is added with a boot policy name is evaluated without a policy',
    parts: storing((database) => {
      const agents = agentStore(database)
      const enrol: typeof agents.enrol = (row, policy, bootPolicy) =>
        agents.enrol(
          bootPolicy === undefined ? { ...row, mb_policy_name: null } : row,
          policy,
          bootPolicy,
        )
      return { agents: { ...agents, enrol } }
    }),
  },
]
