import { type Handler, parameter } from '../../api/call.ts'
import { type DeepQuoteRules, deepQuoteRules } from '../../evidence/deep-quote/deep-quote.ts'
import { type CheckLists, defaultChecks } from '../../evidence/evaluate.ts'
import { quoteChecks } from '../../evidence/quote/quote.ts'
import { registrarOperations } from '../../registrar/operations.ts'
import { registrationRules } from '../../registrar/registration-rules.ts'
import type { RegistrarStore } from '../../storage/registrar-store.ts'
import { hashes } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import {
  inProcessEvaluators,
  shippedChecks,
} from '../../verifier/evaluation/in-process-evaluator.ts'
import { pullRules } from '../../verifier/pull/pull-rules.ts'
import { quoting, standingOn } from './agent/mutate-agent.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

function withRules(change: Partial<DeepQuoteRules>): Mutant['parts'] {
  const deepQuotes = { ...deepQuoteRules, ...change }
  return { registrationRules: { ...registrationRules, deepQuotes } }
}

const without = (id: string) => quoteChecks.filter((check) => check.id !== `quote.${id}`)

const CHECKS = ['nonce', 'magic', 'signature', 'pcr-digest']

/** Verifiers whose checks of a host's quote are changed. */
function judgingHosts(host: Partial<CheckLists>): Mutant['parts'] {
  return {
    evaluator: inProcessEvaluators({ ...shippedChecks, host: { ...defaultChecks, ...host } }),
  }
}

/** Registrars and verifiers that take a deep quote which is wrong in one place, or none at all. */
export const DEEP_QUOTE_MUTANTS: readonly Mutant[] = [
  ...CHECKS.map((id) => ({
    id: `deep-guest.${id}-not-checked`,
    defect: `a guest activates by a quote whose ${id} is not checked`,
    parts: withRules({ guestChecks: without(id) }),
  })),
  ...CHECKS.map((id) => ({
    id: `deep-host.${id}-not-checked`,
    defect: `a guest activates with a quote of its host whose ${id} is not checked`,
    parts: withRules({ hostChecks: without(id) }),
  })),
  {
    id: 'deep-quote-of-tag-alone',
    defect: 'a deep quote is over the tag without the keys',
    parts: withRules({
      activationNonce: ({ tag }) => digestOf(hashes.sha256, new TextEncoder().encode(tag)),
    }),
  },
  {
    id: 'deep-host-not-needed',
    defect: "a guest activates although the provider's registrar has no active host of it",
    parts: {
      registrarOperations: (parts, served) => {
        const shipped = registrarOperations(parts, served)
        return { ...shipped, 'activate-virtual-agent': withoutHost(shipped, parts.store) }
      },
    },
  },
  {
    id: 'deep-quote-never-taken',
    defect: 'every deep quote is refused',
    parts: {
      registrarOperations: (parts, served) =>
        registrarOperations({ ...parts, lookUpHost: undefined }, served),
    },
  },
  {
    id: 'deep-polls-not-asked',
    defect: 'an agent with a vtpm_policy is asked for ordinary quotes',
    parts: { pullRules: { ...pullRules, quotesDeeply: () => false } },
  },
  {
    id: 'deep-polls-unbound',
    defect: 'a polled quote of a host may be over another quote than that of its guest',
    parts: judgingHosts({ quote: without('nonce') }),
  },
  {
    id: 'deep-polls-of-any-host',
    defect: 'a polled quote of a host may be by any key',
    parts: judgingHosts({ quote: without('signature') }),
  },
  {
    id: 'agent.host-not-quoted',
    defect: 'an agent with a host answers vmask with an ordinary quote',
    parts: standingOn(() => ({ host: undefined })),
  },
  {
    id: 'agent.host-unbound',
    defect: 'an agent quotes its host over nothing',
    parts: quoting(
      (quote) => (request) =>
        quote({ ...request, nonce: isDigest(request.nonce) ? new Uint8Array(1) : request.nonce }),
    ),
  },
  {
    id: 'deep-polls-of-any-state',
    defect: 'the PCRs of a host are not compared with tpm_policy',
    parts: judgingHosts({ tpmPolicyPcr: [] }),
  },
]

/** Verifiers send nonces of 20 characters. */
const isDigest = ({ length }: Uint8Array) => length === hashes.sha256.size

function withoutHost(
  { 'activate-virtual-agent': shipped }: ReturnType<typeof registrarOperations>,
  store: RegistrarStore,
): Handler {
  return async (call) => {
    try {
      return await shipped(call)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('no active host')) throw error
      await store.change(parameter(call, 'agent_id'), (row) => row && { ...row, active: 1 })
      return {}
    }
  }
}
