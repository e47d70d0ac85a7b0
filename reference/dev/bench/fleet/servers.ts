import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { developmentProgram } from '../../testing/development-program.ts'
import { freePort } from '../../testing/free-port.ts'

/** Verifier and registrar, a process each, on SQLite. */
export interface FleetServers {
  readonly verifierPort: number
  readonly registrarPort: number
  readonly verifier: number
  readonly registrar: number
  stop(): Promise<void>
}

const ENTRY = developmentProgram('reference/dev/testing/verifier/verifier-process.ts')

/** Starts both; the verifier has made the CA in `cv_ca` of the directory when it resolves. */
export async function startServers(directory: string, interval: number): Promise<FleetServers> {
  const [verifierPort, registrarPort] = [await freePort(), await freePort()]
  const common = [`state_dir=${directory}`, 'log_level=error']
  const verifier = await start('verifier', [
    ...[...common, `port=${verifierPort}`, `registrar_port=${registrarPort}`],
    ...[`quote_interval=${interval}`, 'metrics_port=off'],
  ])
  const stopping = (child: ChildProcess) => () => end(child)
  try {
    const settings = [...common, `port=${registrarPort}`, 'http_port=off']
    const registrar = await start('registrar', settings)
    return {
      ...{ verifierPort, registrarPort },
      ...{ verifier: verifier.pid ?? 0, registrar: registrar.pid ?? 0 },
      stop: async () => void (await Promise.all([verifier, registrar].map((one) => end(one)))),
    }
  } catch (error) {
    await stopping(verifier)()
    throw error
  }
}

async function start(component: string, settings: readonly string[]): Promise<ChildProcess> {
  const words = settings.flatMap((setting) => ['--set', setting])
  const child = spawn(process.execPath, [...ENTRY, component, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A Ctrl-C is for the parent process, which then ends this one.
    detached: true,
  })
  await listening(child, component)
  return child
}

/** Resolves once it reports that it listens; keeps reading its output, so that the pipe never blocks it. */
function listening(child: ChildProcess, component: string): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (said.includes(' listens at ')) return void process.stdout.write(text)
      said += text
      if (said.includes(' listens at ')) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the ${component} ended with ${code}: ${said}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
