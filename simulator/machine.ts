import { join } from 'node:path'
import { writeAsciiList } from './ima/ascii.ts'
import { type ImaEntry, writeImaList } from './ima/list.ts'
import { extendValues, imaSigEntry } from './ima/template.ts'
import { loadRecordedBoot, type RecordedBoot } from './recorded-boot.ts'
import { type Broker, type CommandRecord, openBroker } from './swtpm/broker.ts'
import type { Manufacturer } from './swtpm/manufacturer.ts'
import { startSwtpm } from './swtpm/process.ts'
import { AK_HANDLE, EK_HANDLE, makePersistentKey, manufacture } from './swtpm/provision.ts'
import type { Endpoint } from './swtpm/serve.ts'
import { type AkAlgorithm, type SigningKeyOptions, signingTemplate } from './swtpm/templates.ts'
import { parseAttest } from './tpm/attest.ts'
import type { Attestation } from './tpm/commands/attestation.ts'
import type { TpmObject } from './tpm/commands/objects.ts'
import { parseCredentialBlob } from './tpm/credential-blob.ts'
import { BANKS, type Bank, digest } from './tpm/hash.ts'
import { writePcrBlob } from './tpm/pcr-blob.ts'
import { selectPcrs } from './tpm/pcr-selection.ts'
import { parseTpm2bPublic, pemOf } from './tpm/public.ts'
import { bindTpm, type Tpm } from './tpm/tpm.ts'
import { cat, equal } from './tpm/write.ts'
import { extendedDigests, parseUefiLog } from './uefi/log.ts'

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
  /** The swtpm program; default `swtpm` in PATH. */
  readonly swtpm?: string
}

/** A signing key at a persistent handle. */
export interface SigningKey {
  readonly handle: number
  /** TPM2B_PUBLIC, with its size. */
  readonly public: Uint8Array
  /** nameAlg and digest: 34 bytes. */
  readonly name: Uint8Array
  /** SubjectPublicKeyInfo in PEM. */
  readonly publicPem: string
  readonly algorithm: AkAlgorithm
}

export interface QuoteRequest {
  /** At most 64 bytes on swtpm: the size of the largest TPMT_HA less its algorithm. */
  readonly qualifyingData: Uint8Array
  readonly bank: Bank
  readonly pcrs: readonly number[]
  /** Which key signs; default the attestation key. */
  readonly handle?: number
}

export interface Quote extends Attestation {
  /** The quoted values, ascending by PCR. */
  readonly pcrValues: ReadonlyMap<number, Uint8Array>
  /** Selection and values as `tpm2_quote -F serialized` writes them: 136 + 532·n bytes. */
  readonly blob: Uint8Array
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

/** One machine: a virtual TPM, a firmware log, and an IMA list that agrees with its PCRs. */
export interface Machine {
  readonly name: string
  readonly bootTime: string
  /** Typed commands over the broker; `tpm.transmit` sends any bytes. */
  readonly tpm: Tpm
  readonly ek: {
    readonly handle: number
    /** TPM2B_PUBLIC, with its size. */
    readonly public: Uint8Array
    /** DER, as read back from NV. */
    readonly certificate: Uint8Array
  }
  readonly ak: SigningKey
  readonly ima: ImaLog
  readonly uefi: {
    /** The whole `binary_bios_measurements`. */
    readonly bytes: Uint8Array
    /** Events, the specification header among them. */
    readonly entryCount: number
  }
  /** Runs a file: appends an `ima-sig` entry and extends PCR 10 in all banks. The digest's length says its hash. */
  measure(path: string, fileDigest: Uint8Array): Promise<ImaEntry>
  /** Appends any entry and extends its PCR in all banks as a kernel would. */
  append(entry: ImaEntry): Promise<void>
  /** Extends a PCR in every bank with that bank's hash of the data, and no log knows of it. */
  extend(pcr: number, data: Uint8Array): Promise<void>
  quote(request: QuoteRequest): Promise<Quote>
  /** TPM2_Certify; object and signer are handles, the attestation key unless told. */
  certify(request: {
    readonly qualifyingData: Uint8Array
    readonly object?: number
    readonly signer?: number
  }): Promise<Attestation>
  /** TPM2_GetTime by the attestation key unless told. */
  getTime(request: {
    readonly qualifyingData: Uint8Array
    readonly handle?: number
  }): Promise<Attestation>
  /** Opens a registrar's blob (credential file form). Rejects with TpmError when it is for another key. */
  activateCredential(blob: Uint8Array): Promise<Uint8Array>
  /** Another signing key of the same TPM, restricted unless told; nobody has registered it. */
  createRogueAk(options?: {
    readonly algorithm?: AkAlgorithm
    readonly restricted?: boolean
  }): Promise<SigningKey>
  /** Lets other programs use this TPM at `<directory>/<name>/tpm` and `tpm.ctrl`; the same endpoint each time. */
  serveUnix(): Promise<Endpoint>
  /** Lets other programs use this TPM at two neighbouring loopback ports; the same endpoint each time. */
  serveTcp(): Promise<Endpoint>
  /** Shuts the TPM down and removes its directory. Calling it again does nothing more. */
  close(): Promise<void>
}

const DEFAULT_BOOT_TIME = '2026-01-01T00:00:00Z'
const QUOTE_TRIES = 5

function hashIn(bank: Bank, data: Uint8Array): readonly [Bank, Uint8Array] {
  return [bank, digest(bank, data)]
}

async function appendEntry(tpm: Tpm, entry: ImaEntry): Promise<void> {
  await tpm.pcrExtend(entry.pcr, extendValues(entry))
}

/** Puts the PCRs where the recorded boot left them: Startup, the firmware's events, then the kernel's. */
async function replay(tpm: Tpm, boot: RecordedBoot): Promise<void> {
  await tpm.startup()
  for (const event of parseUefiLog(boot.uefi).events) {
    const digests = extendedDigests(event)
    if (Object.keys(digests).length > 0) await tpm.pcrExtend(event.pcr, digests)
  }
  for (const entry of boot.ima) await appendEntry(tpm, entry)
}

async function makeSigningKey(
  tpm: Tpm,
  handle: number,
  algorithm: AkAlgorithm,
  options: SigningKeyOptions = {},
): Promise<SigningKey> {
  const template = signingTemplate(algorithm, options)
  const made: TpmObject = await makePersistentKey(tpm.transmit, template, handle)
  return { ...made, publicPem: pemOf(parseTpm2bPublic(made.public)), algorithm }
}

function pcrDigestOf(message: Uint8Array): Uint8Array | undefined {
  const { attested } = parseAttest(message)
  return attested.kind === 'quote' ? attested.pcrDigest : undefined
}

/** Reads and quotes until both saw the same values: another program may extend a PCR in between. */
async function quoteConsistently(tpm: Tpm, request: Required<QuoteRequest>): Promise<Quote> {
  const { qualifyingData, bank, pcrs, handle: signHandle } = request
  const selections = [selectPcrs(bank, pcrs)]
  for (let tries = 0; tries < QUOTE_TRIES; tries += 1) {
    const pcrValues = await tpm.pcrRead(bank, pcrs)
    const made = await tpm.quote({ signHandle, qualifyingData, selections })
    const values = [...pcrValues.values()]
    const wanted = pcrDigestOf(made.message)
    // Every signing key of a machine has SHA-256 in its scheme, whatever bank it quotes.
    if (wanted !== undefined && equal(wanted, digest('sha256', cat(...values)))) {
      return { ...made, pcrValues, blob: writePcrBlob(selections, values) }
    }
  }
  throw new Error(`the PCRs changed during each of ${QUOTE_TRIES} quotes`)
}

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

function checkName(name: string): void {
  if (!/^[\w-][\w.-]*$/.test(name)) {
    throw new RangeError(
      `a machine cannot be called ${JSON.stringify(name)}: letters, digits, . _ -`,
    )
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

/** A machine on a TPM that answers; `release` ends what is below the broker. */
async function assemble(
  options: MachineOptions,
  broker: Broker,
  boot: RecordedBoot,
  release: () => Promise<void>,
): Promise<Machine> {
  const tpm = bindTpm(broker.transmit)
  await replay(tpm, boot)
  const { key, certificate } = await manufacture(broker.transmit, options.manufacturer)
  const ak = await makeSigningKey(tpm, AK_HANDLE, options.ak ?? 'rsa2048')
  const entries = [...boot.ima]
  let signingKeys = 1
  const append = async (entry: ImaEntry) => {
    entries.push(entry)
    await appendEntry(tpm, entry)
  }
  return {
    name: options.name,
    bootTime: options.bootTime ?? DEFAULT_BOOT_TIME,
    tpm,
    ek: { handle: key.handle, public: key.public, certificate },
    ak,
    ima: imaLog(entries),
    uefi: { bytes: boot.uefi, entryCount: parseUefiLog(boot.uefi).events.length + 1 },
    append,
    measure: async (path, fileDigest) => {
      const entry = imaSigEntry(path, fileDigest)
      await append(entry)
      return entry
    },
    extend: (pcr, data) =>
      tpm.pcrExtend(pcr, Object.fromEntries(BANKS.map((bank) => hashIn(bank, data)))),
    quote: (request) => quoteConsistently(tpm, { handle: ak.handle, ...request }),
    certify: ({ qualifyingData, object = ak.handle, signer = ak.handle }) =>
      tpm.certify({ qualifyingData, objectHandle: object, signHandle: signer }),
    getTime: ({ qualifyingData, handle = ak.handle }) =>
      tpm.getTime({ qualifyingData, signHandle: handle }),
    activateCredential: (blob) => {
      const credential = parseCredentialBlob(blob)
      const keys = { activateHandle: ak.handle, keyHandle: EK_HANDLE }
      return tpm.activateCredential({ ...credential, ...keys })
    },
    createRogueAk: ({ algorithm = ak.algorithm, restricted = true } = {}) => {
      const label = `rogue ${signingKeys}`
      const handle = AK_HANDLE + signingKeys
      signingKeys += 1
      return makeSigningKey(tpm, handle, algorithm, { restricted, label })
    },
    serveUnix: once(() => broker.serveUnix(join(options.directory, options.name, 'tpm'))),
    serveTcp: once(() => broker.serveTcp()),
    close: once(release),
  }
}

/**
 * Starts a machine: a fresh TPM, the recorded boot replayed into its PCRs, an endorsement key with a certificate
 * in NV, and an attestation key. Throws SwtpmError when there is no TPM to be had; nothing is left behind then.
 */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { directory, name, boot, swtpm: binary, onProcess, onCommand } = options
  checkName(name)
  const recorded = typeof boot === 'string' ? await loadRecordedBoot(boot) : boot
  const process = await startSwtpm({
    directory: join(directory, name),
    ...(binary === undefined ? {} : { binary }),
    ...(onProcess === undefined ? {} : { onProcess }),
  })
  const broker = openBroker({ data: process.data, controlPath: process.controlPath, onCommand })
  const release = async () => {
    await broker.close()
    await process.stop()
  }
  try {
    return await assemble(options, broker, recorded, release)
  } catch (error) {
    await release()
    throw error
  }
}
