import type { IncomingMessage } from 'node:http'
import { REGISTRAR_ROUTES } from '../../../api/routes/registrar.ts'
import { httpRules } from '../../../http-server/http-rules.ts'
import type { Evaluator } from '../../../verifier/evaluation/evaluator.ts'
import { inProcessEvaluators } from '../../../verifier/evaluation/in-process-evaluator.ts'
import type { EvidenceItem } from '../../../verifier/push/selection/evidence-item.ts'
import type { Mutant } from './list-minus-one.ts'

type EvaluateStored = Evaluator['evaluateStored']

/** Parts whose evaluation of stored evidence is wrapped. */
function wrappingEvaluator(change: (evaluate: EvaluateStored) => EvaluateStored): Mutant['parts'] {
  return {
    evaluator: (settings) => {
      const shipped = inProcessEvaluators()(settings)
      return { ...shipped, evaluateStored: change(shipped.evaluateStored) }
    },
  }
}

/** Evaluates failed evidence with the keys of all other agents that sent any, until it passes. */
function byAnyKey(evaluate: EvaluateStored): EvaluateStored {
  const keys = new Set<string>()
  return async (task, policy) => {
    const own = await evaluate(task, policy)
    const others = [...keys].filter((key) => key !== task.agent.ak_tpm)
    keys.add(task.agent.ak_tpm)
    for (const ak_tpm of own.evaluation.verdict === 'fail' ? others : []) {
      const result = await evaluate({ ...task, agent: { ...task.agent, ak_tpm } }, policy)
      if (result.evaluation.verdict === 'pass') return result
    }
    return own
  }
}

/** A list without an entry is no list, and nothing is asked of one. */
function withoutEmptyList(evaluate: EvaluateStored): EvaluateStored {
  return (task, policy) => {
    const items = JSON.parse(new TextDecoder().decode(task.evidence)) as readonly EvidenceItem[]
    const others = items.filter(({ data }) => data?.['entries'] !== '')
    const evidence = new TextEncoder().encode(JSON.stringify(others))
    return evaluate({ ...task, evidence }, others.length < items.length ? undefined : policy)
  }
}

/** The rest of a path under one of the two prefixes of 3.0, if it names the latest attestation. */
function listForLatest(request: IncomingMessage): string {
  const target = httpRules.targetOf(request)
  return target.replace(/^(\/v3\.0\/agents\/[^/]+\/attestations)\/latest$/, '$1')
}

/** Verifiers that trust claims in the evidence, and a registrar and a prefix that serve the wrong records. */
export const TRUSTING_MUTANTS: readonly Mutant[] = [
  {
    id: 'key-of-any-agent',
    defect: 'a quote may be signed by the key of any agent',
    parts: wrappingEvaluator(byAnyKey),
  },
  {
    id: 'empty-list-not-replayed',
    defect: 'a list without an entry is not held against PCR 10',
    parts: wrappingEvaluator(withoutEmptyList),
  },
  {
    id: 'latest-is-the-list-under-v3.0',
    defect: 'under /v3.0 the latest attestation is the list of all',
    parts: { httpRules: { ...httpRules, targetOf: listForLatest } },
  },
  {
    id: 'attestations-at-registrar',
    defect: 'the registrar answers where the attestations of the verifier are',
    parts: {
      registrarRoutes: [
        ...REGISTRAR_ROUTES,
        ...REGISTRAR_ROUTES.filter(({ operation }) => operation === 'list-agents').map((row) => ({
          ...row,
          path: '/agents/:agent_id/attestations',
        })),
      ],
    },
  },
]
