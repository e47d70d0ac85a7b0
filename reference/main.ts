import type { Component } from './compose/component.ts'
import type { Parts } from './compose/parts.ts'
import { type Options, parseOptions, stopSignal } from './config/component-options.ts'
import { loadConfig, type TenantConfig } from './config/config.ts'
import { StartFault } from './errors.ts'
import { waitForCa } from './pki/wait-for-ca.ts'

type Composer = (options: Options, parts: Parts | undefined) => Promise<Listening>

interface Listening {
  readonly component: Component
  readonly host: string
  readonly port: number
  /** Port of the server without TLS, and the setting that gives it. */
  readonly plainPort?: number
  /** Port of the metrics; they are always served on loopback. */
  readonly metricsPort?: number
}

/** The components that listen. */
type Served = 'registrar' | 'verifier' | 'agent' | 'tenant web'

/** Imported on start, so that short commands do not load a server's code. */
const COMPONENTS: Readonly<Record<Served, Composer>> = {
  async registrar(options, parts) {
    const config = loadConfig('registrar', options.config, options.set)
    const { ip: host, port, http_port } = config
    const { trusted_client_ca, server_cert, server_key } = config
    await waitForCa(config, [trusted_client_ca, server_cert, server_key], options.waitForCa)
    const { composeRegistrar, REGISTRAR_PARTS } = await import('./compose/compose-registrar.ts')
    const component = await composeRegistrar(config, parts ?? REGISTRAR_PARTS)
    return { component, host, port, ...(http_port === 'off' ? {} : { plainPort: http_port }) }
  },
  async verifier(options, parts) {
    const config = loadConfig('verifier', options.config, options.set)
    const { ip: host, port, metrics_port } = config
    const { composeVerifier, VERIFIER_PARTS } = await import('./compose/compose-verifier.ts')
    const component = await composeVerifier(config, parts ?? VERIFIER_PARTS)
    return {
      component,
      host,
      port,
      ...(metrics_port === 'off' ? {} : { metricsPort: metrics_port }),
    }
  },
  async agent(options, parts) {
    const config = loadConfig('agent', options.config, options.set)
    const { ip: host, port } = config
    const { state_dir, trusted_client_ca } = config
    await waitForCa({ state_dir }, [trusted_client_ca], options.waitForCa)
    const { AGENT_PARTS, composeAgent } = await import('./compose/compose-agent.ts')
    return { component: await composeAgent(config, parts ?? AGENT_PARTS), host, port }
  },
  async 'tenant web'(options, parts) {
    const config = loadConfig('tenant', options.config, options.set)
    const { web_ip: host, web_port: port } = config
    await waitForCa(config, tenantFiles(config), options.waitForCa)
    const { composeTenantWeb, TENANT_WEB_PARTS } = await import('./compose/compose-tenant-web.ts')
    return { component: await composeTenantWeb(config, parts ?? TENANT_WEB_PARTS), host, port }
  },
}

/** The TLS files of the tenant's web application, as its settings name them. */
function tenantFiles(config: TenantConfig): readonly string[] {
  return [
    ...[config.trusted_server_ca, config.client_cert, config.client_key],
    ...[config.web_trusted_client_ca, config.web_server_cert, config.web_server_key],
  ]
}

/** The component or command, and the words behind it. The web application is called as the commands of the tenant are. */
function wordsOf(argv: readonly string[]): {
  readonly name: string
  readonly rest: readonly string[]
} {
  const [name = '', ...rest] = argv
  const at =
    name === 'tenant' ? rest.findIndex((word, at) => word === 'web' && !isValue(rest, at)) : -1
  if (at < 0) return { name, rest }
  return {
    name: 'tenant web',
    rest: rest.filter((word, other) => other !== at && !isCommandOption(word)),
  }
}

const isCommandOption = (word: string) => ['-c', '--command'].includes(word)

/** Whether a word is the value of an option. */
function isValue(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? ''
  return before.startsWith('-') && !isCommandOption(before)
}

/** The section with the settings of a component, which of them is its port, and what its help calls it. */
function sectionOf(name: Served) {
  return name === 'tenant web'
    ? ({ section: 'tenant', port: 'web_port', what: 'web application of the tenant' } as const)
    : ({ section: name, port: 'port', what: name } as const)
}

/**
 * Runs a component until it is asked to stop, or runs a command; returns the exit code.
 * `argv[0]` names the component, or is `verify-evidence`, `pki`, `policy` or `tenant`. `onListening` is called once a component can be asked;
 * a component that listens ends when `stopRequested` resolves.
 */
export async function main(
  argv: readonly string[],
  parts?: Parts,
  onListening: () => void = () => undefined,
  stopRequested: () => Promise<void> = stopSignal,
): Promise<number> {
  const { name, rest } = wordsOf(argv)
  if (name === 'verify-evidence') {
    if (rest.includes('--batch')) return verifyBatch(rest, parts)
    const { verifyEvidenceMain } = await import('./commands/verify-evidence/verify-evidence.ts')
    return verifyEvidenceMain(rest)
  }
  if (name === 'pki') {
    const { pkiMain } = await import('./commands/pki/pki.ts')
    return pkiMain(rest)
  }
  if (name === 'policy') {
    const { policyMain } = await import('./commands/policy/policy.ts')
    return policyMain(rest)
  }
  if (name === 'tenant') {
    const { tenantMain } = await import('./tenant/tenant-main.ts')
    return tenantMain(rest, parts?.tenant)
  }
  if (name === 'push-agent') {
    const { pushAgentMain } = await import('./compose/push-agent-main.ts')
    return pushAgentMain(rest, parts?.pushAgent, onListening)
  }
  if (!isServed(name)) {
    throw new StartFault(
      `there is no component called ${name}`,
      `use one of ${[...Object.keys(COMPONENTS), 'push-agent'].join(', ')}`,
    )
  }
  const { section, port: setting, what } = sectionOf(name)
  const options = parseOptions(section, rest, { verb: name, what })
  if (options === undefined) return 0
  const { component, host, port, plainPort, metricsPort } = await COMPONENTS[name](options, parts)
  await listen(component, component.server, { name, host, port, setting })
  if (component.plain !== undefined && plainPort !== undefined)
    await listen(component, component.plain, { name, host, port: plainPort, setting: 'http_port' })
  if (component.metrics !== undefined && metricsPort !== undefined)
    await listen(component, component.metrics, {
      ...{ name: `${name} metrics`, host: '127.0.0.1' },
      ...{ port: metricsPort, setting: 'metrics_port' },
    })
  onListening()
  await stopRequested()
  await component.close()
  return 0
}

async function verifyBatch(argv: readonly string[], parts: Parts | undefined): Promise<number> {
  const { verifyBatchMain } = await import('./commands/verify-evidence/batch.ts')
  const { stdin: input, stdout: out } = process
  return verifyBatchMain(argv, { input, out, evaluator: parts?.evaluator })
}

function isServed(name: string): name is Served {
  return Object.hasOwn(COMPONENTS, name)
}

interface Place {
  readonly name: string
  readonly host: string
  readonly port: number
  /** The setting that gives the port. */
  readonly setting: string
}

async function listen(
  component: Component,
  server: { listen(place: { readonly host: string; readonly port: number }): Promise<string> },
  { name, host, port, setting }: Place,
): Promise<void> {
  try {
    const address = await server.listen({ host, port })
    process.stdout.write(`${name} listens at ${address}\n`)
  } catch (cause) {
    await component.close()
    const busy = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw new StartFault(
      busy ? `port ${port} is busy` : `${name} cannot listen at ${host}:${port}`,
      busy
        ? `give another port with --set ${setting}=NUMBER (0 takes a free one)`
        : `give an address of this machine, and a port that this user may open`,
      cause,
    )
  }
}
