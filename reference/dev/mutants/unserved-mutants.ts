import { httpRules } from '../../http-server/http-rules.ts'
import { registrationRules } from '../../registrar/registration-rules.ts'
import { OPERATIONAL_MOVES, type OperationalMove } from '../../verifier/operational-state.ts'
import { withRules } from './agent/mutate-agent.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

/** The moves of a verifier that shows an agent which was added as one that is asked for quotes. */
const SHOWN_AS_ASKED = OPERATIONAL_MOVES.flatMap((move): readonly OperationalMove[] => {
  if (move.mode === 'pull' && move.event === 'added') return [{ ...move, to: 'get_quote' }]
  const began = move.mode === 'pull' && move.event === 'poll_begun'
  return began ? [move, { ...move, from: 'get_quote' }] : [move]
})

/**
 * Implementations with one habit that many scenarios meet. The self-tests judge that a run tells one cause for all of them, or
 * none where the document allows it.
 */
export const UNSERVED_MUTANTS: readonly Mutant[] = [
  {
    id: 'no-activation',
    defect: 'the registrar activates no agent',
    parts: { registrationRules: { ...registrationRules, isSameTag: () => false } },
  },
  {
    id: 'agent.no-integrity-quote',
    defect: 'a pull agent answers every request for an integrity quote with HTTP 500',
    parts: withRules({
      pcrsOfMask: () => {
        throw new Error('no mask can be read')
      },
    }),
  },
  {
    id: 'no-answer-to-evidence',
    defect: 'the verifier ends the connection of a request to verify evidence, without an answer',
    parts: {
      httpRules: {
        ...httpRules,
        targetOf: (request) => {
          if (request.url?.includes('/verify/evidence')) request.socket.destroy()
          return httpRules.targetOf(request)
        },
      },
    },
  },
  {
    id: 'state-of-asked-agents-shown-early',
    defect: 'an agent that was added has the state of one that is asked for quotes',
    parts: { operationalMoves: SHOWN_AS_ASKED },
  },
]
