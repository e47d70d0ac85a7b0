import { expect, test } from 'vitest'
import { machineWithoutTpm, NONCE, partsOf } from '../testing/polled-agent.ts'
import { digest } from '../tpm/hash.ts'
import { parsePcrBlob } from '../tpm/pcr-blob.ts'
import { cat, filled, text } from '../tpm/write.ts'
import { pullAttester } from './attester.ts'
import type { Results } from './misbehaviour.ts'
import { nodeKeyOf } from './node-key.ts'

const ASKED = { nonce: NONCE, pcrs: [], withKey: true, version: '2.5' }

/** Returns PCR 16 of a quote, and its expected value if only the key in the results was measured into it. */
function keyPcrOf(results: Results) {
  const [, , blob = filled(0)] = partsOf({ results })
  const measured = digest('sha256', text(String(results['pubkey'])))
  return [parsePcrBlob(blob).values[0], digest('sha256', cat(filled(32), measured))]
}

test('agents of one machine quote in turn: PCR 16 holds the key of the quoting agent', async () => {
  const machine = await machineWithoutTpm()
  const agents = ['one', 'a stranger'].map((name) =>
    pullAttester({ machine, nodeKey: nodeKeyOf(name), hashAlg: 'sha256', now: Date.now }),
  )
  const quotes = await Promise.all([...agents, ...agents].map((agent) => agent.attest(ASKED)))
  for (const [held, own] of quotes.map(keyPcrOf)) expect(held).toEqual(own)
})
