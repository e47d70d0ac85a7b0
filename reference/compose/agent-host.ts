import { join } from 'node:path'
import type { Attester, openAttester } from '../agent/attester/attester.ts'
import { attesterOf } from '../agent/attester/attester-of.ts'
import { activationQuote } from '../agent/pull/deep-quotes.ts'
import type { DeepQuoting } from '../agent/registration/register.ts'
import { type RegisterAgentRequest, registerAgent } from '../agent/registration/register-agent.ts'
import type { AgentConfig } from '../config/config.ts'
import { StartFault } from '../errors.ts'
import type { Random } from '../platform/random.ts'

interface HostParts {
  readonly openAttester: typeof openAttester
  readonly random: Random
}

/**
 * The TPM of the host, with an attestation key of its own; undefined where the settings name none.
 *
 * @throws {StartFault} it cannot be used, or there is no provider's registrar to register it at
 */
export async function hostOf(
  config: AgentConfig,
  parts: HostParts,
  directory: string,
): Promise<Attester | undefined> {
  if (config.host_tpm === '') return undefined
  if (config.provider_registrar_ip === '')
    throw new StartFault(
      'host_tpm names the TPM of a host, and provider_registrar_ip no registrar for it',
      "give the address of the provider's registrar with --set provider_registrar_ip and provider_registrar_port",
    )
  return attesterOf(parts.openAttester, {
    config: { ...config, tcti: config.host_tpm, ek_handle: 'generate', tpm_ownerpassword: '' },
    ...{ directory: join(directory, 'host'), random: parts.random, environment: {} },
  })
}

/** Registers the host of an agent, where it has one, at the provider's registrar, and then the agent. */
export async function registerOn(
  host: Attester | undefined,
  request: RegisterAgentRequest,
): Promise<void> {
  const { config, attester } = request
  if (host === undefined) return registerAgent(request)
  await registerAgent({ ...request, config: atProvider(config), attester: host })
  const deepQuote: DeepQuoting = (proof, version) =>
    activationQuote({ attester, host }, config.zlib_quotes, proof, version)
  await registerAgent({ ...request, deepQuote })
}

/** The settings to register the host with, under the id of its guest. */
function atProvider(config: AgentConfig): AgentConfig {
  const { provider_registrar_ip: registrar_ip, provider_registrar_port: registrar_port } = config
  return { ...config, registrar_ip, registrar_port }
}
