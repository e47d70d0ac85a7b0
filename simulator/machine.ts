import { join } from 'node:path'
import { type Attesting, attesting } from './attesting.ts'
import { type DeviceIdentity, makeDeviceIdentity } from './device-identity.ts'
import type { Fault } from './faults/fault.ts'
import { faultSet } from './faults/fault-set.ts'
import { type ImaLog, imaLog } from './ima-log.ts'
import { measuring } from './measuring.ts'
import { powering } from './powering.ts'
import { loadRecordedBoot, type RecordedBoot } from './recorded-boot.ts'
import { replayBoot } from './replay.ts'
import { playScript, type Script } from './script.ts'
import { makeSigningKey, type SigningKey } from './signing-key.ts'
import { type Broker, type CommandRecord, openBroker } from './swtpm/broker.ts'
import type { Manufacturer } from './swtpm/manufacturer.ts'
import { startSwtpm } from './swtpm/process.ts'
import { AK_HANDLE, manufacture } from './swtpm/provision.ts'
import type { Endpoint } from './swtpm/serve.ts'
import { type AkAlgorithm, type AkKind, usualScheme } from './swtpm/templates.ts'
import { bindTpm, type Tpm } from './tpm/tpm.ts'
import { parseUefiLog } from './uefi/log.ts'
import type { Scripted } from './verbs.ts'

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
}

/** A manufactured endorsement key. */
export interface EndorsementKey {
  readonly handle: number
  /** TPM2B_PUBLIC, with its size. */
  readonly public: Uint8Array
  readonly name: Uint8Array
  /** DER, as read back from NV. */
  readonly certificate: Uint8Array
}

/** One machine: a virtual TPM, a firmware log, and an IMA list that agrees with its PCRs. */
export interface Machine extends Scripted, Attesting {
  readonly name: string
  /** Typed commands over the broker; `tpm.transmit` sends any bytes. */
  readonly tpm: Tpm
  readonly ek: EndorsementKey
  readonly ak: SigningKey
  readonly ima: ImaLog
  /** The whole `binary_bios_measurements`, and its number of events with the specification header among them. */
  readonly uefi: { readonly bytes: Uint8Array; readonly entryCount: number }
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
  /** Shuts the TPM down, ends its process and removes its directory. Calling it again does nothing more. */
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

/** A machine on a TPM that has not been started up; `release` ends what is below. */
async function assemble(
  options: MachineOptions,
  broker: Broker,
  release: () => Promise<void>,
): Promise<Machine> {
  const { name, directory, bootTime = DEFAULT_BOOT_TIME } = options
  const boot =
    typeof options.boot === 'string' ? await loadRecordedBoot(options.boot) : options.boot
  const tpm = bindTpm(broker.transmit)
  await tpm.startup()
  await replayBoot(tpm, boot)
  const ek = await manufacture(broker.transmit, options.manufacturer)
  const { algorithm, ...how } = kindOf(options.ak)
  const ak = await makeSigningKey(tpm, AK_HANDLE, algorithm, how)
  const entries = [...boot.ima]
  const faults = faultSet()
  const uefi = { bytes: boot.uefi, entryCount: parseUefiLog(boot.uefi).events.length + 1 }
  const machine: Machine = Object.assign(powering({ broker, tpm, boot, entries, bootTime }), {
    ...{ name, tpm, ek, ak, uefi, ima: imaLog(entries, faults) },
    ...measuring(tpm, entries),
    ...attesting(tpm, ak, faults),
    createRogueAk: rogueKeys(tpm, ak),
    deviceIdentity: once(() => makeDeviceIdentity(tpm, options.manufacturer)),
    serveUnix: once(() => broker.serveUnix(join(directory, name, 'tpm'))),
    serveTcp: once(() => broker.serveTcp()),
    goWrong: async (fault: Fault) => {
      faults.add(fault)
      await fault.happens?.(machine)
    },
    play: (script: Script) => playScript(machine, script),
    close: once(release),
  })
  return machine
}

/**
 * Starts a machine: a fresh TPM, the recorded boot replayed into its PCRs, an endorsement key with a certificate
 * in NV, and an attestation key. Throws SwtpmError when there is no TPM to be had; nothing is left behind then.
 */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { directory, name, environment, onProcess, onCommand } = options
  checkName(name)
  const swtpm = await startSwtpm({
    directory: join(directory, name),
    binary: options.swtpm,
    environment,
    onProcess,
  })
  const broker = openBroker({ data: swtpm.data, controlPath: swtpm.controlPath, onCommand })
  const release = async () => {
    await broker.close()
    await swtpm.stop()
  }
  try {
    return await assemble(options, broker, release)
  } catch (error) {
    await release()
    throw error
  }
}
