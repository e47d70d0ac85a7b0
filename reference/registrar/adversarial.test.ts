import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../dev/testing/test-registrar.ts'

/** Section E.5 of the adversarial inputs, as the fixture holds it. */
interface Section {
  readonly baselines: Readonly<Record<string, Members>>
  readonly variants: readonly Variant[]
}

interface Variant {
  readonly id: string
  readonly of: string
  readonly change: Members
  readonly outcome: string
  readonly code?: string
}

type Members = Readonly<Record<string, unknown>>

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const file = pathOf('../../fixtures/adversarial/e5-registration.json')
const { baselines, variants } = JSON.parse(readFileSync(file, 'utf8'), expand) as Section

/** Expands long texts, which fixtures store as a repeated unit. */
function expand(_key: string, value: unknown): unknown {
  const { $repeat, count } = Object(value)
  return typeof $repeat === 'string' ? $repeat.repeat(count) : value
}

/** A registrar of its own, and what asks it for this registration. */
async function registrarWith({ of, change }: Pick<Variant, 'of' | 'change'>) {
  const { ask, store } = await testRegistrar()
  const { agent_id = AGENT, ...members } = { ...baselines[of], ...change }
  const agentId = String(agent_id)
  const register = () => ask('register-agent', members, agentId)
  return { register, kept: () => store.find(agentId) }
}

const refused = variants.filter(({ code }) => code !== undefined)
const taken = variants.filter(({ code, outcome }) => code === undefined && outcome !== 'refused')

test('every variant has an outcome here', () => {
  expect(refused.length + taken.length).toBe(variants.length)
  expect(refused.filter(({ outcome }) => outcome === 'accepted')).toEqual([])
})

test.each(Object.keys(baselines))('the baseline %s is accepted', async (of) => {
  const { register, kept } = await registrarWith({ of, change: {} })
  await register()
  expect(await kept()).toBeDefined()
})

test.each(refused)('$id is refused because of "$code"', async (variant) => {
  const { register, kept } = await registrarWith(variant)
  const refusal = await refusalOf(register)
  expect(refusal.status).toBe(400)
  expect(refusal.message).toContain(variant.code)
  expect(variant.change).toHaveProperty(String(refusal.pointer?.slice(1)))
  expect(await kept()).toBeUndefined()
})

test.each(refused)('$id is refused twice in the same words', async (variant) => {
  const { register } = await registrarWith(variant)
  expect(await refusalOf(register)).toEqual(await refusalOf(register))
})

test.each(taken)('$id is taken, and taken again', async (variant) => {
  const { register, kept } = await registrarWith(variant)
  await register()
  await register()
  expect(await kept()).toBeDefined()
})

test.each(taken)('$id leaves no more than a certificate under ekcert', async (variant) => {
  const { register, kept } = await registrarWith(variant)
  await register()
  const ekcert = (await kept())?.ekcert
  if (variant.change['ekcert'] === '') return expect(ekcert).toBeNull()
  expect(String(variant.change['ekcert'] ?? baselines[variant.of]?.['ekcert'])).toContain(
    String(ekcert).replace(/.{4}$/, ''),
  )
})

const vendors = pathOf('../../../shared/data/keylime/tpm_cert_store')
const certificates = existsSync(vendors) ? readdirSync(vendors) : []

test.skipIf(certificates.length === 0)(
  'a certificate by a maker of TPMs is taken, or refused in a sentence (../shared/data)',
  async () => {
    expect(certificates.length).toBeGreaterThan(40)
    for (const name of certificates) {
      const ekcert = readFileSync(`${vendors}/${name}`, 'utf8')
      const { register, kept } = await registrarWith({
        of: 'rsa',
        change: { ekcert, ek_tpm: null },
      })
      const refusal = await register().then(
        () => undefined,
        (error: unknown) => refusalOf(() => Promise.reject(error)),
      )
      expect(refusal?.message ?? '', name).toMatch(/^$|^ekcert: its key has no default EK template/)
      expect((await kept()) === undefined, name).toBe(refusal !== undefined)
    }
  },
)
