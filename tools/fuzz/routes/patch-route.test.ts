import { expect, test } from 'vitest'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { negotiateAgain } from './patch-route.ts'

test('an agent that was silent for too long is reactivated, logs in and is heard', async () => {
  const steps: string[] = []
  const verifier = { call: async (step: string) => void steps.push(step) }
  const agent = {
    id: 'a',
    logIn: async () => void steps.push('log in'),
    negotiate: async () => {
      if (!steps.includes('reactivate')) throw new PrerequisiteFailed('HTTP 403')
      return 'a negotiation'
    },
  }
  const request = negotiateAgain(verifier as never, agent as never)
  await expect(request).resolves.toBe('a negotiation')
  expect(steps).toEqual(['reactivate', 'log in'])
})
