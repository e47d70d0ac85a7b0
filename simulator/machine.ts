import { join } from 'node:path'
import { writeAsciiList } from './ima/ascii.ts'
import { type ImaEntry, writeImaList } from './ima/list.ts'
import { imaSigEntry } from './ima/template.ts'
import { type Quote, type QuoteRequest, quotePcrs } from './quote-pcrs.ts'
import { loadRecordedBoot, type RecordedBoot } from './recorded-boot.ts'
import { extendEntry, replayBoot } from './replay.ts'
import { makeSigningKey, type SigningKey } from './signing-key.ts'
import { type Broker, type CommandRecord, openBroker } from './swtpm/broker.ts'
import type { Manufacturer } from './swtpm/manufacturer.ts'
import { startSwtpm } from './swtpm/process.ts'
import { AK_HANDLE, EK_HANDLE, manufacture } from './swtpm/provision.ts'
import type { Endpoint } from './swtpm/serve.ts'
import type { AkAlgorithm } from './swtpm/templates.ts'
import type { Attestation } from './tpm/commands/attestation.ts'
import { parseCredentialBlob } from './tpm/credential-blob.ts'
import { BANKS, digest } from './tpm/hash.ts'
import { bindTpm, type Tpm } from './tpm/tpm.ts'
import { parseUefiLog } from './uefi/log.ts'

/** How a machine is made; every member that is not given takes the default stated. */
export interface MachineOptions {
  /** An existing directory with a short path: sockets live in `<directory>/<name>`, which must not exist yet. */
  readonly directory: string
  /** Letters, digits, `.`, `_` and `-`; also the machine's name in transcripts. */
  readonly name: string
  /** Directory of a recorded boot (`binary_bios_measurements`, `binary_before_tools`), or its loaded logs. */
  readonly boot: string | RecordedBoot
  /** Default `rsa2048` with RSASSA; `ecc256` signs with ECDSA; both with SHA-256. */
  readonly ak?: AkAlgorithm
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

/** The running kernel's measurement list. */
export interface ImaLog {
  /** Grows with `measure` and `append`. */
  readonly entries: readonly ImaEntry[]
  readonly count: number
  /** The list as the kernel prints it, from entry `from` (0 unless told): bytes, as names need not be UTF-8. */
  ascii(from?: number): Uint8Array
  /** The list in the kernel's binary form. */
  binary(): Uint8Array
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

/** What happens to a machine: every measurement reaches the list first and then the PCR, as in a kernel. */
export interface Measuring {
  /** Runs a file: appends an `ima-sig` entry and extends PCR 10 in all banks. The digest's length says its hash. */
  measure(path: string, fileDigest: Uint8Array): Promise<ImaEntry>
  /** Appends any entry and extends its PCR in all banks as a kernel would. */
  append(entry: ImaEntry): Promise<void>
  /** Extends a PCR in every bank with that bank's hash of the data, and no log knows of it. */
  extend(pcr: number, data: Uint8Array): Promise<void>
}

/** What a machine says of itself. Handles are the attestation key's unless told. Rejects with TpmError. */
export interface Attesting {
  quote(request: QuoteRequest): Promise<Quote>
  /** TPM2_Certify of the key at `object` by the key at `signer`. */
  certify(request: {
    readonly qualifyingData: Uint8Array
    readonly object?: number
    readonly signer?: number
  }): Promise<Attestation>
  /** TPM2_GetTime by the key at `handle`. */
  getTime(request: {
    readonly qualifyingData: Uint8Array
    readonly handle?: number
  }): Promise<Attestation>
  /** Opens a registrar's blob (credential file form); TPM_RC_INTEGRITY when it is for another key. */
  activateCredential(blob: Uint8Array): Promise<Uint8Array>
}

/** One machine: a virtual TPM, a firmware log, and an IMA list that agrees with its PCRs. */
export interface Machine extends Measuring, Attesting {
  readonly name: string
  readonly bootTime: string
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
  /** Lets other programs use this TPM at `<directory>/<name>/tpm` and `tpm.ctrl`; the same endpoint each time. */
  serveUnix(): Promise<Endpoint>
  /** Lets other programs use this TPM at two neighbouring loopback ports; the same endpoint each time. */
  serveTcp(): Promise<Endpoint>
  /** Shuts the TPM down, ends its process and removes its directory. Calling it again does nothing more. */
  close(): Promise<void>
}

const DEFAULT_BOOT_TIME = '2026-01-01T00:00:00Z'

function imaLog(entries: readonly ImaEntry[]): ImaLog {
  return {
    entries,
    get count() {
      return entries.length
    },
    ascii: (from = 0) => writeAsciiList(entries.slice(from)),
    binary: () => writeImaList(entries),
  }
}

function measuring(tpm: Tpm, entries: ImaEntry[]): Measuring {
  const append = async (entry: ImaEntry) => {
    entries.push(entry)
    await extendEntry(tpm, entry)
  }
  const measure = async (path: string, fileDigest: Uint8Array) => {
    const entry = imaSigEntry(path, fileDigest)
    await append(entry)
    return entry
  }
  const extend = (pcr: number, data: Uint8Array) =>
    tpm.pcrExtend(pcr, Object.fromEntries(BANKS.map((bank) => [bank, digest(bank, data)])))
  return { append, measure, extend }
}

function attesting(tpm: Tpm, ak: SigningKey): Attesting {
  return {
    quote: (request) => quotePcrs(tpm, { handle: ak.handle, ...request }),
    certify: ({ qualifyingData, object = ak.handle, signer = ak.handle }) =>
      tpm.certify({ qualifyingData, objectHandle: object, signHandle: signer }),
    getTime: ({ qualifyingData, handle = ak.handle }) =>
      tpm.getTime({ qualifyingData, signHandle: handle }),
    activateCredential: async (blob) => {
      const keys = { activateHandle: ak.handle, keyHandle: EK_HANDLE }
      return tpm.activateCredential({ ...parseCredentialBlob(blob), ...keys })
    },
  }
}

/** Further keys take the handles after the attestation key's, and a label each that makes them differ. */
function rogueKeys(tpm: Tpm, ak: SigningKey): Machine['createRogueAk'] {
  let made = 0
  return ({ algorithm = ak.algorithm, restricted = true } = {}) => {
    made += 1
    const options = { restricted, label: `rogue ${made}` }
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
  const ak = await makeSigningKey(tpm, AK_HANDLE, options.ak ?? 'rsa2048')
  const entries = [...boot.ima]
  const uefi = { bytes: boot.uefi, entryCount: parseUefiLog(boot.uefi).events.length + 1 }
  return {
    ...{ name, bootTime, tpm, ek, ak, uefi, ima: imaLog(entries) },
    ...measuring(tpm, entries),
    ...attesting(tpm, ak),
    createRogueAk: rogueKeys(tpm, ak),
    serveUnix: once(() => broker.serveUnix(join(directory, name, 'tpm'))),
    serveTcp: once(() => broker.serveTcp()),
    close: once(release),
  }
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
