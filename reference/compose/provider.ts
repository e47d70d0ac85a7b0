import type { VerifierConfig } from '../config/config.ts'
import { type JsonClient, jsonClient } from '../http-client/json-client.ts'
import {
  hostLookup,
  type LookUpHost,
  registrationLookup,
} from '../http-client/look-up-registration.ts'
import type { TlsFiles } from '../pki/tls-files.ts'

/** The provider's registrar, where the hosts of agents with virtual TPMs are registered (docs/deep-quotes.md). */
interface Provider {
  readonly lookUpHost: LookUpHost
  close(): void
}

type ProviderSettings = Pick<VerifierConfig, 'provider_registrar_ip' | 'provider_registrar_port'>

/** Undefined where the settings name none. */
export function providerOf(config: ProviderSettings, tls: TlsFiles): Provider | undefined {
  if (config.provider_registrar_ip === '') return undefined
  const client = registrarClient(config.provider_registrar_ip, config.provider_registrar_port, tls)
  return { lookUpHost: hostLookup(registrationLookup(client)), close: () => client.close() }
}

/** Milliseconds, and bytes, that an answer of a registrar may take. */
const TIMEOUT = 10_000
const ANSWER = 1_048_576

/** A client of a registrar, which shows it the component's own client certificate. */
export function registrarClient(host: string, port: number, tls: TlsFiles): JsonClient {
  return jsonClient({
    ...{ host, port, trust: { ca: tls.ca } },
    ...(tls.client && { identity: tls.client }),
    ...{ timeoutMs: TIMEOUT, maxBytes: ANSWER },
  })
}
