import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { closeOnSignal } from '../target/close-on-signal.ts'
import { startDeployment } from '../target/deployment.ts'
import { SetupFault } from '../target/fault.ts'
import { loadTarget } from '../target/load-target.ts'
import { isLoopback } from '../target/role-url.ts'
import { createRunDirectory } from '../target/run-directory.ts'
import { type Comparison, compareWithPeers } from './compare-with-peers.ts'
import type { Place } from './idle-peers.ts'
import { type LoadOptions, parseLoadOptions } from './load-options.ts'
import { checkOpenFiles } from './open-files.ts'
import { presentComparison, presentVerdict } from './present-load.ts'

type Stream = Pick<NodeJS.WritableStream, 'write'>

/**
 * `assay load idle --target FILE`; `argv[0]` is the verb: whether connections that are held open slow another client
 * down. Returns 0 when the ratio stays within its limit at every component, 1 when it does not.
 */
export async function main(
  [, kind, ...words]: readonly string[],
  out: Stream = process.stdout,
): Promise<number> {
  if (kind !== 'idle' && kind !== '--help') {
    throw new SetupFault('what load is to be put on?', {
      next: 'type assay load idle --target FILE',
    })
  }
  const options = parseLoadOptions(kind === 'idle' ? words : ['--help'])
  if (options === undefined) return 0
  checkOpenFiles(options.idle + options.halves)
  return inRunDirectory(options, (line) => void out.write(`${line}\n`))
}

async function inRunDirectory(options: LoadOptions, say: (line: string) => void): Promise<number> {
  const run = createRunDirectory(join('reports', 'out'))
  const undo = closeOnSignal(() => run.close())
  try {
    const ekCa = join(run.path, 'ek-ca.pem')
    const manufacturer = await createManufacturer({ now: new Date() })
    writeFileSync(ekCa, manufacturer.certificatePem)
    const target = await loadTarget(options.target, { run: run.path, ekCa, env: process.env })
    const deployment = await startDeployment(target, run)
    const ca = readFileSync(target.tls.ca, 'utf8')
    const places = Object.entries(deployment.roles).map(
      ([role, { url }]) => [role, placeOf(url, ca)] as const,
    )
    say(`load of this machine over the last minute: ${loadavg()[0]?.toFixed(1)}`)
    return await compareAll(places, options, say)
  } finally {
    await run.close()
    undo()
  }
}

/** Where a component listens; only on this machine, whatever the target file allows. */
function placeOf(url: string, ca: string): Place {
  const { hostname, port } = new URL(url)
  if (!isLoopback(hostname)) {
    throw new SetupFault(`${hostname} is not this machine, and load is put on nothing else`, {
      next: 'start the components here, and name 127.0.0.1 in the target file',
    })
  }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), ca }
}

async function compareAll(
  places: readonly (readonly [string, Place])[],
  options: LoadOptions,
  say: (line: string) => void,
): Promise<number> {
  const ratios: number[] = []
  for (const [role, place] of places) {
    const comparisons: Comparison[] = []
    while (comparisons.length < options.rounds) {
      const comparison = await compareWithPeers(place, options)
      comparisons.push(comparison)
      say(presentComparison(role, options, comparison))
    }
    const verdict = presentVerdict(role, comparisons, options.limit)
    say(verdict.line)
    ratios.push(verdict.ratio)
  }
  return ratios.every((ratio) => ratio <= options.limit) ? 0 : 1
}
