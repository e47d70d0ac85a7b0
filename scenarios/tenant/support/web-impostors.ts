import type { StageOptions } from '../../../conformance/peers/tenants.ts'
import { facings } from './facings.ts'
import { tenantImpostors } from './tenant-impostors.ts'

/** Agents that one web application meets in turn: those whose answers or records differ, and that no tenant may add. */
export const webImpostors = tenantImpostors.flatMap(({ id, says, requirement, stage }) => {
  const { mutateIdentity, mutateRecord } = stage()
  const isMet = requirement !== 'TEN-CHECKS-EK-MISSING' && (mutateIdentity ?? mutateRecord)
  return isMet ? [{ id, says, mutated: { mutateIdentity, mutateRecord } }] : []
})

const FACINGS: ReadonlySet<string> = new Set([
  'verifier-other-authority',
  'verifier-other-name',
  'registrar-other-authority',
  'agent-namesake',
])

/** Certificates that peers show to it in turn: commands meet the others. */
export const webFacings = facings.filter(({ id }) => FACINGS.has(id))

/** Options of a stage whose agent is the impostor that `current` gives; its own without one. */
export function impostorOf(current: () => StageOptions): StageOptions {
  return {
    mutateIdentity: (truth, again) => current().mutateIdentity?.(truth, again) ?? truth,
    mutateRecord: (record) => current().mutateRecord?.(record) ?? record,
  }
}
