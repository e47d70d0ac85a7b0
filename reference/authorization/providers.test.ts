import { expect, test } from 'vitest'
import { StartFault } from '../errors.ts'
import { AUTHORIZATION_PROVIDERS, makeProvider, type ProviderRegistry } from './providers.ts'

const COMPONENTS = ['registrar', 'verifier'] as const

test.each(COMPONENTS)('the %s has the provider simple', (component) => {
  expect(makeProvider(component, 'simple', AUTHORIZATION_PROVIDERS).name).toBe('simple')
})

test('a registry may have others, and each component its own', () => {
  const registry: ProviderRegistry = {
    ...AUTHORIZATION_PROVIDERS,
    own: (component) => ({ name: `of ${component}`, allows: () => false }),
  }
  expect(makeProvider('registrar', 'own', registry).name).toBe('of registrar')
})

test.each(['none', '', 'constructor', '__proto__'])(
  '%o is refused, and the known ones are named',
  (name) => {
    const make = () => makeProvider('verifier', name, AUTHORIZATION_PROVIDERS)
    expect(make).toThrow(StartFault)
    expect(make).toThrow(
      `verifier setting authorization_provider is ${JSON.stringify(name)}: there is no such provider`,
    )
  },
)
