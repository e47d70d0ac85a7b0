import { StartFault } from '../errors.ts'
import type { AuthorizationProvider } from './provider.ts'
import { simpleProvider } from './simple.ts'

/** Makes the provider of one component. */
export type ProviderFactory = (component: 'registrar' | 'verifier') => AuthorizationProvider

export type ProviderRegistry = Readonly<Record<string, ProviderFactory>>

/**
 * The providers that `authorization_provider` can name, in the section of each component by itself (interface
 * document, "Authorization framework"). To add one, write a file next to `simple.ts` that answers
 * `AuthorizationProvider.allows` for every action of `actions.ts`, and name its factory here. What it needs (a
 * client, a file) is an argument of its own; identity is settled before it is asked, and it cannot change it.
 */
export const AUTHORIZATION_PROVIDERS: ProviderRegistry = {
  simple: () => simpleProvider(),
}

/**
 * The provider that a component's setting names.
 *
 * @throws {StartFault} naming the providers there are
 */
export function makeProvider(
  component: 'registrar' | 'verifier',
  name: string,
  registry: ProviderRegistry,
): AuthorizationProvider {
  const factory = Object.hasOwn(registry, name) ? registry[name] : undefined
  if (factory !== undefined) return factory(component)
  throw new StartFault(
    `${component} setting authorization_provider is ${JSON.stringify(name)}: there is no such provider`,
    `it takes ${Object.keys(registry).join(' or ')}`,
  )
}
