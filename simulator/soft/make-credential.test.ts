import { expect, test } from 'vitest'
import { softKeys } from '../machine/soft-machine.ts'
import { createManufacturer } from '../swtpm/manufacturer.ts'
import { nameOf } from '../tpm/public.ts'
import { text } from '../tpm/write.ts'
import { makeCredential } from './make-credential.ts'

const keys = await softKeys(await createManufacturer({ now: new Date() }))
const SECRET = text('thirty-two characters, as always')

test('a credential opens for its key and object', () => {
  const blob = makeCredential(keys.ek.public, nameOf(keys.ak.public), SECRET)
  expect(keys.open(blob)).toEqual(SECRET)
})

test('a credential for another object does not open', () => {
  const blob = makeCredential(keys.ek.public, keys.ek.name, SECRET)
  expect(() => keys.open(blob)).toThrow('another object')
})
