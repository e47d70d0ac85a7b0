import { PolicyError } from '../../../evidence/policy-error.ts'
import { parseReferenceState } from '../../../evidence/uefi/policy/reference-state.ts'
import { HONEST_STATES, type StateRun } from '../boot-states.ts'
import { stateMustNotPass } from '../models/state-model.ts'
import { mutateStateRun } from '../mutators/bootpolicy.ts'
import { plain } from '../says.ts'
import type { Target } from '../target.ts'

/** Longer than any command line should be, for the engine of the expressions. */
const LONG_LINE = `${'a'.repeat(240)}!`

/** Measured boot reference states. */
export function bootpolicyTarget(
  read: typeof parseReferenceState = parseReferenceState,
): Target<StateRun> {
  return {
    name: 'bootpolicy',
    honest: HONEST_STATES,
    mutate: mutateStateRun,
    judge({ text }) {
      try {
        const state = read(text)
        for (const { cmdline } of state.kernels ?? []) cmdline?.(LONG_LINE)
        const mustNotPass = stateMustNotPass(text, state)
        return { verdict: 'pass', says: [], ...(mustNotPass !== undefined && { mustNotPass }) }
      } catch (error) {
        if (!(error instanceof PolicyError)) throw error
        return { verdict: 'refused', says: [plain(error.message)] }
      }
    },
  }
}
