import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { openMachineFactory } from '../../conformance/runner/make-environment.ts'
import { startOnFreePorts } from '../../conformance/target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { closeOnSignal } from '../../conformance/target/processes/close-on-signal.ts'
import {
  createRunDirectory,
  type RunDirectory,
} from '../../conformance/target/processes/run-directory.ts'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { cells } from './cells.ts'
import { type InteropOptions, parseInteropOptions } from './interop-options.ts'
import { type Met, meetAll } from './meet.ts'
import { exitCodeOf, presentCells, presentMet } from './present-cells.ts'
import { environmentDirectory, makePythonEnvironment } from './python-environment.ts'
import { startUpstream } from './start-upstream.ts'
import { layOutUpstream, makeSocketDirectory } from './upstream-places.ts'
import type { OurServers, World } from './world.ts'

const OURS = join(packageRoot(), 'reference', 'assay.target.yaml')

const say = (line: string) => void process.stdout.write(`${line}\n`)

function portOf(url = ''): number {
  return Number(new URL(url).port)
}

async function startOurs(run: RunDirectory, ekCa: string): Promise<OurServers> {
  const surroundings = { run: run.path, ekCa, env: process.env }
  const read = await loadTarget(OURS, surroundings)
  const { deployment } = await startOnFreePorts(read, surroundings, run)
  const { verifier, registrar } = deployment.roles
  return {
    directory: run.path,
    verifier: portOf(verifier?.url),
    registrar: portOf(registrar?.url),
  }
}

/** Starts both sides. */
async function makeWorld(
  run: RunDirectory,
  { scenario: scenarios }: InteropOptions,
): Promise<World> {
  const python = makePythonEnvironment(environmentDirectory(process.env), say)
  const manufacturer = await createManufacturer({ now: new Date() })
  const store = join(run.path, 'tpm_cert_store')
  mkdirSync(store)
  const ekCa = join(store, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const places = await layOutUpstream(python, run, store)
  say('starting its registrar and two verifiers, and ours')
  const upstream = await startUpstream(places, run)
  const ours = await startOurs(run, ekCa)
  const factory = await openMachineFactory(manufacturer, run)
  return { places, upstream, run, factory, ekCa, ours, scenarios }
}

function chosen({ only }: InteropOptions) {
  const unknown = only.find((id) => cells.every((cell) => cell.id !== id))
  if (unknown === undefined) return cells.filter(({ id }) => only.length === 0 || only.includes(id))
  const next = `they are ${cells.map(({ id }) => id).join(', ')}`
  throw new SetupFault(`there is no meeting ${unknown}`, { next })
}

async function interop(options: InteropOptions): Promise<readonly Met[]> {
  const held = chosen(options)
  const run = createRunDirectory(options.out)
  const undo = closeOnSignal(() => run.close())
  const removeSockets = makeSocketDirectory()
  try {
    const world = await makeWorld(run, options)
    return await meetAll(held, world, (met) => say(presentMet(met)))
  } finally {
    await run.close()
    removeSockets()
    undo()
    say(`logs: ${join(run.path, 'logs')}`)
  }
}

/** `assay interop`; `argv[0]` is the verb. Returns 0 when all agree, 1 when two differ, 2 when one could not be held. */
export async function main([, ...words]: readonly string[]): Promise<number> {
  const all = await interop(parseInteropOptions(words))
  say(presentCells(all))
  return exitCodeOf(all)
}
