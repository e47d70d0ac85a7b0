import { expect, test } from 'vitest'
import { problemsOf } from '../doctor/testing/test-examination.ts'
import { type Answering, asRegistrar } from '../doctor/testing/test-fixture.ts'
import type { TrialMachine } from './examination.ts'

const KEYS = {
  ek: { public: Uint8Array.of(1), certificate: Uint8Array.of(2) },
  ak: { public: Uint8Array.of(3) },
}

/**
 * Runs the check on a registrar that rejects the registrations that `refuses` selects; the machine must be closed and
 * no agent left.
 */
async function tryEk(refuses: (body: object) => boolean): Promise<readonly string[]> {
  const registrar = asRegistrar({}, refuses)
  let closed = 0
  const close = async () => {
    closed += 1
  }
  const options = { startMachine: async (): Promise<TrialMachine> => ({ ...KEYS, close }) }
  const found = await problemsOf({ registrar, change: { ekTrust: { kind: 'trusted' } }, options })
  expect({ closed, left: registrar.agents.size }).toEqual({ closed: 1, left: 0 })
  return found
}

test('an accepted EK certificate is ok', async () => {
  expect(await tryEk(() => false)).toEqual([])
})

test('a registrar that rejects only the EK certificate is a fault', async () => {
  expect(await tryEk((body) => 'ekcert' in body)).toEqual(['D-EK-TRUST fault'])
})

test('a registrar that rejects every registration is a warning', async () => {
  expect(await tryEk(() => true)).toEqual(['D-EK-TRUST warning'])
})

test('with ek_trust unchecked, no EK certificate is sent', async () => {
  const startMachine = () => Promise.reject(new Error('no machine may be started'))
  expect(await problemsOf({ registrar: asRegistrar(), options: { startMachine } })).toEqual([])
})

test('without a virtual TPM the check is a warning', async () => {
  const startMachine = () => Promise.reject(new Error('swtpm is not installed'))
  const change = { ekTrust: { kind: 'trusted' } } as const
  expect(await problemsOf({ registrar: asRegistrar(), change, options: { startMachine } })).toEqual(
    ['D-EK-TRUST warning'],
  )
})

test('an agent whose registration was interrupted is deleted too', async () => {
  const deleted: string[] = []
  const answering: Answering = (method, path) => {
    if (method === 'DELETE') deleted.push(path)
    return method === 'POST' ? [500] : [200, {}]
  }
  const close = async () => undefined
  const options = { startMachine: async (): Promise<TrialMachine> => ({ ...KEYS, close }) }
  await problemsOf({
    registrar: { answering },
    change: { ekTrust: { kind: 'trusted' } },
    options,
  })
  expect(deleted).toHaveLength(2)
})
