import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fault } from '../faults/fault.ts'
import { faultSet } from '../faults/fault-set.ts'
import { type ImaLog, imaLog } from '../platform/ima-log.ts'
import {
  type BootedTpm,
  leaseRecordedTpm,
  leaseTpm,
  type MachineKeys,
  makeKeys,
} from '../platform/manufactured-tpms.ts'
import { measuring } from '../platform/measuring.ts'
import { powering } from '../platform/powering.ts'
import { loadRecordedBoot, type RecordedBoot } from '../platform/recorded-boot.ts'
import { type Broker, type CommandRecord, openBroker } from '../swtpm/broker.ts'
import type { Manufacturer } from '../swtpm/manufacturer.ts'
import type { SwtpmPool } from '../swtpm/pool.ts'
import { type SwtpmProcess, startSwtpm, type TpmState } from '../swtpm/process.ts'
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

/** Options of a machine. */
export interface MachineOptions {
  /** An existing directory with a short path: sockets are in `<directory>/<name>`, which must not exist yet. */
  readonly directory: string
  /** Letters, digits, `.`, `_` and `-`; also the machine's name in transcripts. */
  readonly name: string
  /** Directory of a recorded boot (`binary_bios_measurements`, `binary_before_tools`), or its loaded logs. */
  readonly boot: string | RecordedBoot
  /** Default `rsa2048`; with the usual scheme and SHA-256 if only an algorithm is given. */
  readonly ak?: AkAlgorithm | AkKind
  /** Certifies the endorsement key. */
  readonly manufacturer: Manufacturer
  /** Boot time of the machine, ISO 8601 in UTC; default `2026-01-01T00:00:00Z`. */
  readonly bootTime?: string
  /** Called after every command of any client of this TPM. */
  readonly onCommand?: (record: CommandRecord) => void
  /** Called with the id of every process that is started. */
  readonly onProcess?: (pid: number, what: string) => void
  /** Added to the environment of every process that is started. */
  readonly environment?: Readonly<Record<string, string>>
  /** The swtpm program; default `swtpm` in PATH. */
  readonly swtpm?: string
  /** Source of its TPM, unless it has a `state`; default: its own process. */
  readonly tpms?: SwtpmPool
  /**
   * Directory for the state of its TPM. Closing the machine then suspends it, and no other machine uses its TPM.
   * Default: a TPM that no other machine uses at the same time.
   */
  readonly state?: string
  /** The state of a TPM after the same boot, from which the machine starts: {@link Machine.booted} of another run. */
  readonly booted?: TpmState | undefined
  /** Resumes the machine from its `state`. Lists the events since its creation, under the same other options. */
  readonly past?: Script
}

/** A machine: a virtual TPM, a firmware log, and an IMA list that agrees with its PCRs. */
export interface Machine extends Scripted, Attesting {
  readonly name: string
  /** Typed commands over the broker; `tpm.transmit` sends any bytes. */
  readonly tpm: Tpm
  readonly ek: EndorsementKey
  readonly ak: SigningKey
  readonly ima: ImaLog
  readonly beginning: Beginning
  /** The state of its TPM after the boot; undefined if it has a `state` directory of its own. */
  readonly booted: TpmState | undefined
  /** Creates another, unregistered signing key of the same TPM; default: restricted, with the AK's algorithm. */
  createRogueAk(options?: {
    readonly algorithm?: AkAlgorithm
    readonly restricted?: boolean
  }): Promise<SigningKey>
  /** The device identity, created at the first call. */
  deviceIdentity(): Promise<DeviceIdentity>
  /** Serves this TPM to other programs at `<directory>/<name>/tpm` and `tpm.ctrl`; the same endpoint each time. */
  serveUnix(): Promise<Endpoint>
  /** Serves this TPM to other programs at two adjacent loopback ports; the same endpoint each time. */
  serveTcp(): Promise<Endpoint>
  /** Executes a script. Rejects with ScriptError that names the line. */
  play(script: Script): Promise<void>
  /**
   * Shuts the TPM down, ends its process and removes its directory, but not its `state`. Further calls have no
   * effect.
   */
  close(): Promise<void>
}

const DEFAULT_BOOT_TIME = '2026-01-01T00:00:00Z'

/** Further keys take the handles after the attestation key's, each with a label that makes it unique. */
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

/** Calls `make` once and returns its result from then on. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function checkName(name: string): void {
  if (/^[\w-][\w.-]*$/.test(name)) return
  throw new RangeError(`invalid machine name ${JSON.stringify(name)}: use letters, digits, . _ -`)
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

/** A pooled TPM has its own sockets elsewhere. */
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

/** Base of a machine: its TPM and connections. */
interface Ground {
  readonly broker: Broker
  /** A TPM that was manufactured before; undefined if it is new or resumed. */
  readonly made: BootedTpm | undefined
  /** Releases everything below the machine. */
  readonly release: () => Promise<void>
}

/** Creates a machine on a TPM that has not been started up, unless its keys exist already. */
async function assemble(
  options: LoadedOptions,
  { broker, made, release }: Ground,
): Promise<Machine> {
  const { name, directory, boot, bootTime = DEFAULT_BOOT_TIME, past } = options
  const tpm = bindTpm(broker.transmit)
  const beginning = await beginningOf(tpm, { boot, past, isBooted: made !== undefined })
  const { ek, ak } = made ?? (await keysOf(tpm, options))
  const entries = [...boot.ima]
  const faults = faultSet()
  const reach = reachTo({ tpm, broker })
  const machine: Machine = Object.assign(powering({ ...reach, boot, entries, bootTime, faults }), {
    ...{ name, tpm, ek, ak, beginning, booted: made?.state, ima: imaLog(entries, faults) },
    ...measuring(reach.tpm, entries),
    ...attesting(tpm, ak, faults),
    createRogueAk: rogueKeys(tpm, ak),
    deviceIdentity: once(() => makeDeviceIdentity(tpm, options.manufacturer)),
    serveUnix: once(() => serveUnix(broker, join(directory, name))),
    serveTcp: once(() => broker.serveTcp()),
    addFault: async (fault: Fault) => {
      faults.add(fault)
      await fault.happens?.(machine)
    },
    play: (script: Script) => playScript(machine, script),
    close: once(release),
  })
  if (past !== undefined) await reach.restore(machine, past, beginning)
  return machine
}

/**
 * Starts a machine: a fresh TPM, the recorded boot replayed into its PCRs, an endorsement key with a certificate in
 * NV, and an attestation key. Or resumes one from its `state`, without any additional keys that it had. Throws
 * SwtpmError if no TPM is available; nothing is left behind then.
 */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  checkName(options.name)
  const boot = typeof options.boot === 'string' ? await loadOnce(options.boot) : options.boot
  return startLoaded({ ...options, boot })
}

type LoadedOptions = MachineOptions & { readonly boot: RecordedBoot }

const boots = new Map<string, Promise<RecordedBoot>>()

/** Loads each boot once, since a TPM that went through it can serve other machines. */
function loadOnce(directory: string): Promise<RecordedBoot> {
  const known = boots.get(directory)
  if (known !== undefined) return known
  const boot = loadRecordedBoot(directory)
  boots.set(directory, boot)
  boot.catch(() => boots.delete(directory))
  return boot
}

async function startLoaded(options: LoadedOptions): Promise<Machine> {
  const { directory, name, state, environment, onProcess, manufacturer, boot, booted } = options
  const how = { binary: options.swtpm, environment, onProcess }
  if (state !== undefined || options.past !== undefined) {
    const swtpm = await startSwtpm({ ...how, directory: join(directory, name), state })
    return startOn(options, swtpm, undefined, state === undefined ? TPM_SU.CLEAR : TPM_SU.STATE)
  }
  const made = { ...how, directory: join(directory, `${name}.made`) }
  const purpose = { manufacturer, boot, kind: kindOf(options.ak) }
  const lease = await (booted === undefined
    ? leaseTpm(purpose, made)
    : leaseRecordedTpm(booted, purpose, made))
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

/** Starts a machine on its own swtpm process, and ends the process if that fails. */
async function startOn(
  options: LoadedOptions,
  swtpm: SwtpmProcess,
  made: BootedTpm | undefined,
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
    return await assemble(options, { broker, made, release })
  } catch (error) {
    const reason = await swtpm.explain(error)
    await release()
    throw reason
  }
}
