import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { bootstrapKeys, type UHalf } from './bootstrap-keys.ts'
import { keyRules } from './key-rules.ts'

const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** The keys of a tenant: random K and V, and the matching U. */
function madeByTenant(contents?: string) {
  const [key, v] = [randomBytes(32), randomBytes(32)]
  const u = Buffer.from(key.map((byte, at) => byte ^ (v[at] ?? 0)))
  const tag = createHmac('sha384', key).update(AGENT).digest()
  const payload = contents === undefined ? undefined : sealed(key, contents)
  return { key, v, half: { u, tag, payload } satisfies UHalf }
}

function sealed(key: Uint8Array, contents: string): Uint8Array {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([iv, cipher.update(contents), cipher.final(), cipher.getAuthTag()])
}

const fresh = () => bootstrapKeys(keyRules, AGENT)

test('V, then U, make K and open the payload', () => {
  const { key, v, half } = madeByTenant('run me')
  const keys = fresh()
  keys.takeV(v)
  const { delivery } = keys.takeU(half)
  expect(Buffer.from(delivery?.payload ?? []).toString()).toBe('run me')
  expect(keys.key()).toEqual(new Uint8Array(key))
})

test('U, then V, make the same K', () => {
  const { key, v, half } = madeByTenant()
  const keys = fresh()
  expect(keys.takeU(half)).toMatchObject({ event: 'u', does: ['keep-u'] })
  expect(keys.takeV(v).delivery).toMatchObject({ payload: undefined })
  expect(keys.key()).toEqual(new Uint8Array(key))
})

test('there is no K from V alone', () => {
  const keys = fresh()
  keys.takeV(madeByTenant().v)
  expect(keys.key()).toBeUndefined()
})

test('a U with the tag of another agent makes no K, and the right one is taken after it', () => {
  const { v, half } = madeByTenant()
  const keys = fresh()
  keys.takeV(v)
  const tag = createHmac('sha384', randomBytes(32)).update(AGENT).digest()
  expect(keys.takeU({ ...half, tag }).event).toBe('u-misfits')
  expect(keys.key()).toBeUndefined()
  expect(keys.takeU(half).event).toBe('u-fits')
})

test('a wrong waiting U does not block the right halves, in either order', () => {
  const { v, half } = madeByTenant()
  const keys = fresh()
  keys.takeU(madeByTenant().half)
  expect(keys.takeV(v).event).toBe('v-misfits')
  expect(keys.takeU(half).event).toBe('u-fits')
})

test('a V whose U is lost, or that comes late, keeps no other pair away', () => {
  const [lost, late, anew] = [madeByTenant(), madeByTenant(), madeByTenant('run me')]
  const keys = fresh()
  keys.takeV(lost.v)
  expect(keys.takeU(anew.half).does).toEqual(['keep-u'])
  expect(keys.takeV(late.v).event).toBe('v-misfits')
  expect(keys.key()).toBeUndefined()
  const { delivery } = keys.takeV(anew.v)
  expect(Buffer.from(delivery?.payload ?? []).toString()).toBe('run me')
})

test('the same with an existing K, which stays until then', () => {
  const [first, lost, anew] = [madeByTenant(), madeByTenant(), madeByTenant()]
  const keys = fresh()
  keys.takeV(first.v)
  keys.takeU(first.half)
  keys.takeV(lost.v)
  keys.takeU(anew.half)
  expect(keys.key()).toEqual(new Uint8Array(first.key))
  keys.takeV(anew.v)
  expect(keys.key()).toEqual(new Uint8Array(anew.key))
})

test('a payload that is of another key is refused with its U', () => {
  const { v, half } = madeByTenant('run me')
  const keys = fresh()
  keys.takeV(v)
  expect(keys.takeU({ ...half, payload: sealed(randomBytes(32), 'not mine') }).event).toBe(
    'u-unopened',
  )
  expect(keys.key()).toBeUndefined()
})

test('halves that come again change nothing and deliver nothing', () => {
  const { v, half } = madeByTenant('run me')
  const keys = fresh()
  keys.takeV(v)
  keys.takeU(half)
  expect(keys.takeU(half)).toEqual({ event: 'u-again', does: [] })
  expect(keys.takeV(v)).toEqual({ event: 'v-again', does: [] })
})

test('another pair replaces K, and the replaced K does not come back', () => {
  const [first, second] = [madeByTenant('one'), madeByTenant('two')]
  const keys = fresh()
  keys.takeV(first.v)
  keys.takeU(first.half)
  keys.takeV(second.v)
  expect(keys.takeU(second.half).event).toBe('u-fits')
  expect(keys.takeU(first.half)).toMatchObject({ event: 'u-used', does: ['refuse-u'] })
  expect(keys.key()).toEqual(new Uint8Array(second.key))
})

test('K stays while half of another one waits', () => {
  const { key, v, half } = madeByTenant()
  const keys = fresh()
  keys.takeV(v)
  keys.takeU(half)
  keys.takeV(madeByTenant().v)
  expect(keys.key()).toEqual(new Uint8Array(key))
})
