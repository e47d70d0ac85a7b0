import { Command, CommanderError } from 'commander'
import {
  type Component,
  composeRegistrar,
  composeVerifier,
  type Parts,
  SHIPPED_PARTS,
} from './compose.ts'
import { loadConfig } from './config.ts'
import { StartFault } from './errors.ts'

type Composer = (
  file: string | undefined,
  settings: readonly string[],
  parts: Parts,
) => Promise<Listening>

interface Listening {
  readonly component: Component
  readonly host: string
  readonly port: number
  /** Port of the server without TLS, and the setting that gives it. */
  readonly plainPort?: number
  /** Port of the metrics; they are served on loopback whatever the host. */
  readonly metricsPort?: number
}

const COMPONENTS: Readonly<Record<string, Composer>> = {
  async registrar(file, settings, parts) {
    const config = loadConfig('registrar', file, settings)
    const { ip: host, port, http_port } = config
    const component = await composeRegistrar(config, parts)
    return { component, host, port, ...(http_port === 'off' ? {} : { plainPort: http_port }) }
  },
  async verifier(file, settings, parts) {
    const config = loadConfig('verifier', file, settings)
    const { ip: host, port, metrics_port } = config
    const component = await composeVerifier(config, parts)
    return {
      component,
      host,
      port,
      ...(metrics_port === 'off' ? {} : { metricsPort: metrics_port }),
    }
  },
}

interface Options {
  readonly config?: string
  readonly set: readonly string[]
}

interface Given extends Options {
  readonly database?: string
}

/**
 * Runs one component until it is told to stop, or does one thing and ends; returns the exit code.
 * `argv[0]` names the component, or is `verify-evidence` or `pki`. `onListening` is called once a component can be asked.
 */
export async function main(
  argv: readonly string[],
  parts: Parts = SHIPPED_PARTS,
  onListening: () => void = () => undefined,
): Promise<number> {
  const [name = '', ...rest] = argv
  if (name === 'verify-evidence') {
    const { verifyEvidenceMain } = await import('./verify-evidence/verify-evidence.ts')
    return verifyEvidenceMain(rest)
  }
  if (name === 'pki') {
    const { pkiMain } = await import('./pki-command/pki.ts')
    return pkiMain(rest)
  }
  const compose = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : undefined
  if (compose === undefined) {
    throw new StartFault(
      `there is no component called ${name}`,
      `use one of ${Object.keys(COMPONENTS).join(', ')}`,
    )
  }
  const options = parseOptions(name, rest)
  if (options === undefined) return 0
  const { component, host, port, plainPort, metricsPort } = await compose(
    options.config,
    options.set,
    parts,
  )
  await listen(component, component.server, { name, host, port, setting: 'port' })
  if (component.plain !== undefined && plainPort !== undefined)
    await listen(component, component.plain, { name, host, port: plainPort, setting: 'http_port' })
  if (component.metrics !== undefined && metricsPort !== undefined)
    await listen(component, component.metrics, {
      ...{ name: `${name} metrics`, host: '127.0.0.1' },
      ...{ port: metricsPort, setting: 'metrics_port' },
    })
  onListening()
  await stopSignal()
  await component.close()
  return 0
}

/** The options, or undefined when the person asked for help and got it. */
function parseOptions(name: string, argv: readonly string[]): Options | undefined {
  const command = new Command(`assay ${name}`)
    .description(`runs the reference ${name}`)
    .option('--config <file>', 'INI file with a section per component')
    .option('--set <name=value>', 'one setting, over the file', collect, [])
    .option('--database <place>', 'a SQLite file, or postgres://USER@HOST:PORT/NAME')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  try {
    const { database, set, ...options } = command.parse(argv, { from: 'user' }).opts<Given>()
    return { ...options, set: database === undefined ? set : [...set, `database=${database}`] }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new StartFault(
      error.message.replace(/^error: /, ''),
      `assay ${name} --help lists the options`,
    )
  }
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
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
      `give another port with --set ${setting}=NUMBER (0 takes a free one)`,
      cause,
    )
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => resolve())
  })
}
