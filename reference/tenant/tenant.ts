import type { TenantConfig } from '../config/config.ts'
import { jsonClient } from '../http-client/json-client.ts'
import { loadAdministratorFiles } from '../pki/tls-files.ts'
import { administratorPlacesOf } from '../pki/tls-names.ts'
import type { TenantOptions } from './options.ts'
import { backOff } from './peers/back-off.ts'
import type { Peer } from './peers/peer.ts'
import { serverOf } from './peers/server.ts'
import { portOf } from './ports.ts'
import type { TenantSession } from './session.ts'
import type { TenantParts } from './tenant-parts.ts'

/** A session with all parts, as the commands get it. */
export interface Tenant extends TenantSession {
  readonly parts: TenantParts
}

/** Largest answer in bytes: policies and lists of a hundred thousand agents fit. */
const MOST_BYTES = 128 * 1024 * 1024

/** @throws {StartFault} when the TLS files cannot be used */
export function openTenant(
  config: TenantConfig,
  options: TenantOptions,
  parts: TenantParts,
  say: (sentence: string) => void,
): Tenant {
  const files = loadAdministratorFiles(administratorPlacesOf(config), parts.clock.now())
  const waits = backOff(config)
  const open = (name: 'verifier' | 'registrar', host: string, port: number, option: string) => {
    const timeoutMs = config.request_timeout * 1000
    const { ca, identity } = files
    const to = { host, port, trust: { ca }, identity, timeoutMs, maxBytes: MOST_BYTES }
    const peer = { name, address: `${host}:${port}`, option, trustStep: TRUST_STEP } satisfies Peer
    return serverOf({ peer, client: jsonClient(to), parts, versions: config.api_versions, waits })
  }
  const { cv, cvport, registrarhost, registrarport } = options
  const verifier = open(
    'verifier',
    cv ?? config.verifier_ip,
    portOf('--cvport', cvport) ?? config.verifier_port,
    '--cv and --cvport',
  )
  const registrar = open(
    'registrar',
    registrarhost ?? config.registrar_ip,
    portOf('--registrarport', registrarport) ?? config.registrar_port,
    '--registrarhost and --registrarport',
  )
  return {
    ...{ config, parts, files, verifier, registrar, waits, say },
    close() {
      verifier.close()
      registrar.close()
    },
  }
}

const TRUST_STEP =
  'give the CA of the deployment with --set trusted_server_ca=FILE or --set tls_dir=DIRECTORY, and ask by a name in the certificate'
