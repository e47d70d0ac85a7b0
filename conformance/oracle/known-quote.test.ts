import { expect, test } from 'vitest'
import { measuredForm } from './known-quote.ts'

test.each(['', 'no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'])(
  'PCR 16 was extended with no form of a text that is no public key: %j',
  (text) => {
    expect(measuredForm(text, 'sha256', '00'.repeat(32))).toBeUndefined()
  },
)
