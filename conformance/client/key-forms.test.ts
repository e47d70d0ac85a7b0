import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import type { Reply } from '../attempt/reply.ts'
import { publicKeyIn } from './key-forms.ts'

function pemOf({ publicKey }: ReturnType<typeof generateKeyPairSync>): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

const RSA = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))

function replyWith(pubkey: unknown, status = 200): Reply {
  const body = { code: status, status: 'Success', results: { pubkey } }
  const silence = { exchange: 0, failure: undefined, endedInTls: false, resumed: false }
  return { ...silence, status, headers: {}, text: JSON.stringify(body), body }
}

test('the public key of a reply is an RSA key in PEM', () => {
  expect(publicKeyIn(replyWith(RSA))).toBe(RSA)
})

test.each([
  ['an EC key', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }))],
  ['an RSA key of 512 bits', pemOf(generateKeyPairSync('rsa', { modulusLength: 512 }))],
  ['a key that is cut', RSA.slice(0, 100)],
  ['a number', 7],
])('%s fails the step, and not the harness', (_, pubkey) => {
  expect(() => publicKeyIn(replyWith(pubkey))).toThrow(PrerequisiteFailed)
})

test('a server error in place of a public key is named', () => {
  expect(() => publicKeyIn(replyWith(undefined, 500))).toThrow(
    'gave absent, as the answer was HTTP 500',
  )
})
