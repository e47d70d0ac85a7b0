import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { type Algorithms, fitTogether, KEY_KINDS } from '../../config/algorithms.ts'
import type { AgentConfig } from '../../config/config.ts'
import { StartFault } from '../../errors.ts'
import type { Random } from '../../platform/random.ts'
import { openTpm } from '../../tpm/transports/open-tpm.ts'
import { parseTcti, type TpmPlace } from '../../tpm/transports/parse-tcti.ts'
import { holdOwnDirectory } from '../own-files.ts'
import type { Attester, openAttester } from './attester.ts'

/** The settings that say which TPM it is, and which keys. */
type TpmConfig = Pick<
  AgentConfig,
  | 'tcti'
  | 'tpm_hash_alg'
  | 'tpm_encryption_alg'
  | 'tpm_signing_alg'
  | 'ek_handle'
  | 'tpm_ownerpassword'
>

interface AttesterOfRequest {
  readonly config: TpmConfig
  /** Where the attestation key is kept; it is that of this agent until the attester is closed. */
  readonly directory: string
  readonly random: Random
  /** Where the TPM is when the settings do not say. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The attester that the settings ask for.
 *
 * @throws {StartFault} the settings do not go together, there is no such TPM, or another agent has the directory
 */
export async function attesterOf(
  open: typeof openAttester,
  request: AttesterOfRequest,
): Promise<Attester> {
  const letGo = holdOwnDirectory(request.directory)
  try {
    const attester = await opened(open, request)
    return { ...attester, close: () => attester.close().finally(letGo) }
  } catch (error) {
    letGo()
    throw error
  }
}

function opened(
  open: typeof openAttester,
  { config, directory, random, environment }: AttesterOfRequest,
): Promise<Attester> {
  const algorithms = algorithmsOf(config)
  const place = placeOf(config.tcti, environment['TCTI'])
  return open(openTpm(place), {
    ...{ algorithms, random, file: join(directory, 'agent_data.json') },
    ekHandle: config.ek_handle === 'generate' ? undefined : config.ek_handle,
    hierarchyPassword: passwordOf(config.tpm_ownerpassword),
  })
}

function algorithmsOf(config: TpmConfig): Algorithms {
  const { tpm_encryption_alg, tpm_signing_alg } = config
  const algorithms = {
    key: KEY_KINDS[tpm_encryption_alg],
    hash: config.tpm_hash_alg,
    signing: tpm_signing_alg,
  }
  if (fitTogether(algorithms)) return algorithms
  throw new StartFault(
    `a key of ${tpm_encryption_alg} does not sign with ${tpm_signing_alg}`,
    'rsa goes with rsassa and rsapss, ecc with ecdsa: change tpm_encryption_alg or tpm_signing_alg',
  )
}

const DEVICES = ['/dev/tpmrm0', '/dev/tpm0']

function placeOf(setting: string, variable: string | undefined): TpmPlace {
  const text = setting === '' ? (variable ?? '') : setting
  if (text === '') {
    const path = DEVICES.find((device) => existsSync(device))
    if (path !== undefined) return { kind: 'device', path }
    throw new StartFault(
      `this machine has no TPM at ${DEVICES.join(' or ')}`,
      'say where one is with --set tcti=swtpm:host=HOST,port=PORT',
    )
  }
  const place = parseTcti(text)
  if (place !== undefined) return place
  throw new StartFault(
    `agent setting tcti is ${JSON.stringify(text)}: it names no TPM`,
    'it takes swtpm:host=HOST,port=PORT, swtpm:path=SOCKET or device:PATH',
  )
}

function passwordOf(text: string): Uint8Array {
  if (!text.startsWith('hex:')) return new TextEncoder().encode(text)
  try {
    return fromHex(text.slice(4))
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    // The error must not repeat the value: it is a password.
    throw new StartFault('agent setting tpm_ownerpassword is no hexadecimal after hex:')
  }
}
