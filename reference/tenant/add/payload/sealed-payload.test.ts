import { expect, test } from 'vitest'
import { toBase64 } from '../../../bytes/base64.ts'
import { systemRandom } from '../../../platform/random.ts'
import { file, scene } from '../../testing/add-scene.ts'
import { bootstrapRules } from './bootstrap-keys.ts'

/** Three keys and a payload under the first, as two files. */
function sealed(change: { readonly v?: Uint8Array; readonly text?: string } = {}) {
  const keys = bootstrapRules.split(systemRandom)
  const text = bootstrapRules.seal(keys.k, Buffer.from('sealed before'), systemRandom)
  const lines = [keys.k, change.v ?? keys.v, keys.u].map(toBase64)
  return ['-k', file(`${lines.join('\n')}\n`), '-p', file(change.text ?? `${text}\n`)]
}

test('a payload that was encrypted before is delivered with its keys', async () => {
  const { agent, say, status } = await scene()
  expect(await say('add', ...sealed())).toMatchObject({ code: 0 })
  expect(agent.opened).toMatchObject({ tagIsRight: true, payload: 'sealed before' })
  expect((await status()).v).toMatch(/=$/)
})

test.each([
  [
    'with the keys of another',
    () => [...sealed().slice(0, 2), ...sealed().slice(2)],
    /does not open/,
  ],
  ['that is no base64', () => sealed({ text: 'no base64' }), /does not open/],
  ['that is shorter than its tag', () => sealed({ text: 'AAAA' }), /does not open/],
  ['with halves of another key', () => sealed({ v: new Uint8Array(32) }), /U and V do not make K/],
  ['with a key that is short', () => sealed({ v: new Uint8Array(31) }), /:2: V is not 32 bytes/],
  ['that is too large', () => [...sealed(), '--set', 'max_payload_size=4'], /bytes, and 4 are/],
  ['without its keys', () => sealed().slice(2), /--payload FILE is given without its key/],
  ['and another one', () => [...sealed(), '-f', file('x')], /--file FILE and --key FILE are given/],
])('an encrypted payload %s is not sent', async (_what, words, sentence) => {
  const { agent, say } = await scene()
  const said = await say('add', ...words())
  expect(said).toMatchObject({ code: 2, err: expect.stringMatching(sentence) })
  expect(agent.asked).toEqual([])
})

test('a payload that is too large is not read', async () => {
  const { agent, say } = await scene()
  const words = ['-f', file('12345'), '--set', 'max_payload_size=4'] as const
  expect(await say('add', ...words)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/5 bytes/),
  })
  expect(agent.asked).toEqual([])
})
