import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { preflight } from '../../conformance/preflight/preflight.ts'
import { openMachineFactory } from '../../conformance/runner/make-environment.ts'
import { startOnFreePorts } from '../../conformance/target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { freePorts, portTrouble } from '../../conformance/target/processes/free-port.ts'
import type { ServiceRole, Target } from '../../conformance/target/target.ts'
import { createManufacturer, type Manufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { Place } from './commands/tcp-proxy.ts'
import { type TenantScript, writeTenantScript } from './commands/tenant-script.ts'
import { openContacts } from './contact.ts'
import type { Journal } from './journal.ts'
import { MAKER_FILE } from './kept-playground.ts'
import type { PlaygroundPlace } from './place.ts'
import { openPlayground, type Playground } from './playground.ts'
import type { ServerPlaces } from './playground-machine.ts'
import { serversOf } from './servers.ts'
import type { UpOptions } from './up-options.ts'

/** The TPM manufacturer of a directory, with a persistent key. Throws a {@link SetupFault} if the key file is invalid. */
async function keptManufacturer(directory: string): Promise<Manufacturer> {
  const file = join(directory, MAKER_FILE)
  return createManufacturer({
    now: new Date(),
    key: existsSync(file) ? readKey(file) : makeKey(file),
  })
}

function makeKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return privateKey
}

function readKey(file: string): KeyObject {
  const key = parseKey(file)
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new SetupFault(`${file} holds no private P-256 key in PEM`, {
    next: 'restore it from a backup, or pass another directory',
  })
}

function parseKey(file: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(file))
  } catch {
    return undefined
  }
}

/** A playground with running servers and without machines. */
interface MadePlayground {
  readonly playground: Playground
  readonly tenant: TenantScript | undefined
}

interface SetUpSurroundings {
  readonly stopped: AbortSignal
  /** Receives a line for each step. */
  readonly say: (line: string) => void
}

/** Starts the servers of the target file as for a run. Throws a {@link SetupFault}. */
export async function setUpPlayground(
  { target: file }: Pick<UpOptions, 'target'>,
  { run, journal, isKept }: PlaygroundPlace,
  { stopped, say }: SetUpSurroundings,
): Promise<MadePlayground> {
  const maker = await (isKept
    ? keptManufacturer(run.path)
    : createManufacturer({ now: new Date() }))
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, maker.certificatePem)
  // Before the verifier starts, because it polls the agents that it knows.
  const contacts = await openContacts(journal.before.machines)
  const surroundings = { run: run.path, ekCa, env: process.env, pickPorts: portsAgain(journal) }
  const read = await loadTarget(file, surroundings)
  stopped.throwIfAborted()
  const { target, deployment } = await startOnFreePorts(read, surroundings, run, (step) =>
    say(`  ${step.what}, ${step.detail}`),
  )
  await preflight(target, deployment)
  const places = placesOf(target)
  const servers = serversOf(target, deployment)
  const factory = await openMachineFactory(maker, run)
  const parts = { target, run, factory, places, isKept }
  say(`  verifier at ${urlOf(target, 'verifier')}, registrar at ${urlOf(target, 'registrar')}`)
  return {
    playground: openPlayground({ ...parts, servers, journal, contacts, deployment, stopped }),
    tenant: writeTenantScript(target, parts, places),
  }
}

/** Returns the kept ports of the servers if all are free, otherwise other ports. */
function portsAgain({ before, ports }: Journal): (count: number) => Promise<readonly number[]> {
  let left: readonly number[] = before.ports
  return async (count) => {
    const again = left
    left = []
    const isFree = again.length === count && (await areFree(again))
    const picked = isFree ? again : await freePorts(count)
    ports(picked)
    return picked
  }
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  const troubles = await Promise.all(ports.map((port) => portTrouble(port, '127.0.0.1')))
  return troubles.every((error) => error === undefined)
}

function urlOf({ roles }: Target, role: ServiceRole): string {
  return roles.find((one) => one.role === role)?.url ?? ''
}

function placesOf(target: Target): ServerPlaces {
  const plain = target.roles.find(({ role }) => role === 'registrar')?.http
  return {
    verifier: placeOf(urlOf(target, 'verifier')),
    registrar: placeOf(urlOf(target, 'registrar')),
    ...(plain && { plainRegistrar: placeOf(plain) }),
  }
}

function placeOf(url: string): Place {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) }
}
