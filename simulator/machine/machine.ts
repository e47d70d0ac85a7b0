import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fault } from '../faults/fault.ts'
import { faultSet } from '../faults/fault-set.ts'
import { type ImaLog, imaLog } from '../platform/ima-log.ts'
import { leaseTpm, type MachineKeys, makeKeys } from '../platform/manufactured-tpms.ts'
import { measuring } from '../platform/measuring.ts'
import { powering } from '../platform/powering.ts'
import { loadRecordedBoot, type RecordedBoot } from '../platform/recorded-boot.ts'
import { type Broker, type CommandRecord, openBroker } from '../swtpm/broker.ts'
import type { Manufacturer } from '../swtpm/manufacturer.ts'
import type { SwtpmPool } from '../swtpm/pool.ts'
import { type SwtpmProcess, startSwtpm } from '../swtpm/process.ts'
import { AK_HANDLE, type EndorsementKey, findEndorsementKey } from '../swtpm/provision.ts'
import type { Endpoint } from '../swtpm/serve.ts'
import { findSigningKey, makeSigningKey, type SigningKey } from '../swtpm/signing-key.ts'
import { type AkAlgorithm, type AkKind, usualScheme } from '../swtpm/templates.ts'
import { TPM_SU } from '../tpm/constants.ts'
import { bindTpm, type Tpm } from '../tpm/tpm.ts'
import { type Attesting, attesting } from './attesting.ts'
import { type DeviceIdentity, makeDeviceIdentity } from './device-identity.ts'
import { playScript, type Script } from './script.ts'
import type { Scripted } from './verbs.ts'
import { type Beginning, bootFirst, reachTo, wake } from './waking.ts'

/** How a machine is made; every member that is not given takes the default stated. */
export interface MachineOptions {
  /** An existing directory with a short path: sockets live in `<directory>/<name>`, which must not exist yet. */
  readonly directory: string
  /** Letters, digits, `.`, `_` and `-`; also the machine's name in transcripts. */
  readonly name: string
  /** Directory of a recorded boot (`binary_bios_measurements`, `binary_before_tools`), or its loaded logs. */
  readonly boot: string | RecordedBoot
  /** Default `rsa2048`; with the usual scheme and SHA-256 when only an algorithm is given. */
  readonly ak?: AkAlgorithm | AkKind
  /** Who certifies the endorsement key. */
  readonly manufacturer: Manufacturer
  /** When the machine booted, ISO 8601 in UTC; default `2026-01-01T00:00:00Z`. */
  readonly bootTime?: string
  /** Called after every command of anyone that uses this TPM. */
  readonly onCommand?: (record: CommandRecord) => void
  /** Called with the id of every process that is started. */
  readonly onProcess?: (pid: number, what: string) => void
  /** Added to the environment of every process that is started. */
  readonly environment?: Readonly<Record<string, string>>
  /** The swtpm program; default `swtpm` in PATH. */
  readonly swtpm?: string
  /** Where it takes its TPM from, unless it has a `state`; default: a process of its own. */
  readonly tpms?: SwtpmPool
  /**
   * Where its TPM keeps its state: closing the machine then puts it to sleep, and its TPM is no other machine's ever.
   * Default: a TPM that no other machine has at the same time.
   */
  readonly state?: string
  /** It is woken from its `state`, and this is what had happened to it since it was made, under the same other options. */
  readonly past?: Script
}

/** One machine: a virtual TPM, a firmware log, and an IMA list that agrees with its PCRs. */
export interface Machine extends Scripted, Attesting {
  readonly name: string
  /** Typed commands over the broker; `tpm.transmit` sends any bytes. */
  readonly tpm: Tpm
  readonly ek: EndorsementKey
  readonly ak: SigningKey
  readonly ima: ImaLog
  readonly beginning: Beginning
  /** Another signing key of the same TPM that nobody has registered: restricted, of the AK's algorithm, unless told. */
  createRogueAk(options?: {
    readonly algorithm?: AkAlgorithm
    readonly restricted?: boolean
  }): Promise<SigningKey>
  /** The identity that its maker gave the device, made when it is first asked for. */
  deviceIdentity(): Promise<DeviceIdentity>
  /** Lets other programs use this TPM at `<directory>/<name>/tpm` and `tpm.ctrl`; the same endpoint each time. */
  serveUnix(): Promise<Endpoint>
  /** Lets other programs use this TPM at two neighbouring loopback ports; the same endpoint each time. */
  serveTcp(): Promise<Endpoint>
  /** Lets a script happen. Rejects with ScriptError that names the line. */
  play(script: Script): Promise<void>
  /** Shuts the TPM down, ends its process and removes its directory, but not its `state`. Calling it again does nothing more. */
  close(): Promise<void>
}

const DEFAULT_BOOT_TIME = '2026-01-01T00:00:00Z'

/** Further keys take the handles after the attestation key's, and a label each that makes them differ. */
function rogueKeys(tpm: Tpm, ak: SigningKey): Machine['createRogueAk'] {
  let made = 0
  return ({ algorithm = ak.algorithm, restricted = true } = {}) => {
    made += 1
    const { scheme = usualScheme(algorithm), hash = 'sha256' } = ak
    const alike = algorithm === ak.algorithm ? { scheme, hash } : {}
    const options = { ...alike, restricted, label: `rogue ${made}` }
    return makeSigningKey(tpm, AK_HANDLE + made, algorithm, options)
  }
}

/** Gives what `make` gives the first time, ever after. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function checkName(name: string): void {
  if (/^[\w-][\w.-]*$/.test(name)) return
  throw new RangeError(`a machine cannot be called ${JSON.stringify(name)}: letters, digits, . _ -`)
}

function kindOf(ak: MachineOptions['ak'] = 'rsa2048'): AkKind {
  return typeof ak === 'string' ? { algorithm: ak } : ak
}

async function findKeys(tpm: Tpm, options: MachineOptions): Promise<MachineKeys> {
  const { algorithm, ...how } = kindOf(options.ak)
  return {
    ek: await findEndorsementKey(tpm.transmit),
    ak: await findSigningKey(tpm, AK_HANDLE, algorithm, how),
  }
}

function keysOf(tpm: Tpm, options: MachineOptions): Promise<MachineKeys> {
  if (options.past !== undefined) return findKeys(tpm, options)
  return makeKeys(tpm.transmit, options.manufacturer, kindOf(options.ak))
}

/** A TPM of a pool has its own sockets elsewhere. */
async function serveUnix(broker: Broker, directory: string): Promise<Endpoint> {
  await mkdir(directory, { mode: 0o700, recursive: true })
  return broker.serveUnix(join(directory, 'tpm'))
}

interface Before {
  readonly boot: RecordedBoot
  readonly past: Script | undefined
  /** The TPM is a copy of one that went through the boot. */
  readonly isBooted: boolean
}

async function beginningOf(tpm: Tpm, { boot, past, isBooted }: Before): Promise<Beginning> {
  if (isBooted) return 'made'
  return past === undefined ? bootFirst(tpm, boot) : wake(tpm)
}

/** What a machine stands on. */
interface Ground {
  readonly broker: Broker
  /** The keys of a TPM that was manufactured before; undefined for one that is made or woken now. */
  readonly keys: MachineKeys | undefined
  /** Ends what is below the machine. */
  readonly release: () => Promise<void>
}

/** A machine on a TPM that has not been started up, unless its keys were made before. */
async function assemble(
  options: LoadedOptions,
  { broker, keys, release }: Ground,
): Promise<Machine> {
  const { name, directory, boot, bootTime = DEFAULT_BOOT_TIME, past } = options
  const tpm = bindTpm(broker.transmit)
  const beginning = await beginningOf(tpm, { boot, past, isBooted: keys !== undefined })
  const { ek, ak } = keys ?? (await keysOf(tpm, options))
  const entries = [...boot.ima]
  const faults = faultSet()
  const reach = reachTo({ tpm, broker })
  const machine: Machine = Object.assign(powering({ ...reach, boot, entries, bootTime, faults }), {
    ...{ name, tpm, ek, ak, beginning, ima: imaLog(entries, faults) },
    ...measuring(reach.tpm, entries),
    ...attesting(tpm, ak, faults),
    createRogueAk: rogueKeys(tpm, ak),
    deviceIdentity: once(() => makeDeviceIdentity(tpm, options.manufacturer)),
    serveUnix: once(() => serveUnix(broker, join(directory, name))),
    serveTcp: once(() => broker.serveTcp()),
    goWrong: async (fault: Fault) => {
      faults.add(fault)
      await fault.happens?.(machine)
    },
    play: (script: Script) => playScript(machine, script),
    close: once(release),
  })
  if (past !== undefined) await reach.relive(machine, past, beginning)
  return machine
}

/**
 * Starts a machine: a fresh TPM, the recorded boot replayed into its PCRs, an endorsement key with a certificate
 * in NV, and an attestation key. Or wakes one that slept in its `state`; keys that it had beside these two are not looked
 * for. Throws SwtpmError when there is no TPM to be had; nothing is left behind then.
 */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  checkName(options.name)
  const boot = typeof options.boot === 'string' ? await loadOnce(options.boot) : options.boot
  return startLoaded({ ...options, boot })
}

type LoadedOptions = MachineOptions & { readonly boot: RecordedBoot }

const boots = new Map<string, Promise<RecordedBoot>>()

/** The same boot each time: a TPM that went through it serves other machines of it. */
function loadOnce(directory: string): Promise<RecordedBoot> {
  const known = boots.get(directory)
  if (known !== undefined) return known
  const boot = loadRecordedBoot(directory)
  boots.set(directory, boot)
  boot.catch(() => boots.delete(directory))
  return boot
}

async function startLoaded(options: LoadedOptions): Promise<Machine> {
  const { directory, name, state, environment, onProcess, manufacturer, boot } = options
  const how = { binary: options.swtpm, environment, onProcess }
  if (state !== undefined || options.past !== undefined) {
    const swtpm = await startSwtpm({ ...how, directory: join(directory, name), state })
    return startOn(options, swtpm, undefined, state === undefined ? TPM_SU.CLEAR : TPM_SU.STATE)
  }
  const made = { ...how, directory: join(directory, `${name}.made`) }
  const lease = await leaseTpm({ manufacturer, boot, kind: kindOf(options.ak) }, made)
  try {
    const copied = lease.tpm.state
    const swtpm = await (options.tpms?.take(copied) ??
      startSwtpm({ ...how, directory: join(directory, name), copied }))
    const stop = () => swtpm.stop().finally(lease.giveBack)
    return await startOn(options, { ...swtpm, stop }, lease.tpm, TPM_SU.CLEAR)
  } catch (error) {
    lease.giveBack()
    throw error
  }
}

/** Starts a machine on a swtpm process that is its own; ends that too when there is no machine to be had. */
async function startOn(
  options: LoadedOptions,
  swtpm: SwtpmProcess,
  keys: MachineKeys | undefined,
  how: number,
): Promise<Machine> {
  const { onCommand, directory, name } = options
  const broker = openBroker({ data: swtpm.data, controlPath: swtpm.controlPath, onCommand })
  const release = async () => {
    await broker.close(how)
    await swtpm.stop()
    await rm(join(directory, name), { recursive: true, force: true })
  }
  try {
    return await assemble(options, { broker, keys, release })
  } catch (error) {
    const reason = await swtpm.explain(error)
    await release()
    throw reason
  }
}
