import { expect, test } from 'vitest'
import { type Answering, asRegistrar } from '../doctor/testing/test-clinic.ts'
import { troublesOf } from '../doctor/testing/test-examination.ts'
import type { TrialMachine } from './examination.ts'

const KEYS = {
  ek: { public: Uint8Array.of(1), certificate: Uint8Array.of(2) },
  ak: { public: Uint8Array.of(3) },
}

/** A trial on a registrar that refuses what `refuses` says; the machine must be closed, and no agent may be left. */
async function tryEk(refuses: (body: object) => boolean): Promise<readonly string[]> {
  const registrar = asRegistrar({}, refuses)
  let closed = 0
  const close = async () => {
    closed += 1
  }
  const options = { startMachine: async (): Promise<TrialMachine> => ({ ...KEYS, close }) }
  const found = await troublesOf({ registrar, change: { ekTrust: { kind: 'trusted' } }, options })
  expect({ closed, left: registrar.agents.size }).toEqual({ closed: 1, left: 0 })
  return found
}

test('an EK certificate that is taken is in order', async () => {
  expect(await tryEk(() => false)).toEqual([])
})

test('an EK certificate that is refused alone is a fault', async () => {
  expect(await tryEk((body) => 'ekcert' in body)).toEqual(['D-EK-TRUST fault'])
})

test('a registrar that refuses any registration is judged', async () => {
  expect(await tryEk(() => true)).toEqual(['D-EK-TRUST warning'])
})

test('where EK certificates are not checked, none is tried', async () => {
  const startMachine = () => Promise.reject(new Error('no machine is to be started'))
  expect(await troublesOf({ registrar: asRegistrar(), options: { startMachine } })).toEqual([])
})

test('without a virtual TPM the trial is a warning', async () => {
  const startMachine = () => Promise.reject(new Error('swtpm is not installed'))
  const change = { ekTrust: { kind: 'trusted' } } as const
  expect(await troublesOf({ registrar: asRegistrar(), change, options: { startMachine } })).toEqual(
    ['D-EK-TRUST warning'],
  )
})

test('an agent whose registration failed halfway is deleted too', async () => {
  const deleted: string[] = []
  const answering: Answering = (method, path) => {
    if (method === 'DELETE') deleted.push(path)
    return method === 'POST' ? [500] : [200, {}]
  }
  const close = async () => undefined
  const options = { startMachine: async (): Promise<TrialMachine> => ({ ...KEYS, close }) }
  await troublesOf({
    registrar: { answering },
    change: { ekTrust: { kind: 'trusted' } },
    options,
  })
  expect(deleted).toHaveLength(2)
})
