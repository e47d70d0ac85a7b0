import { deflateSync } from 'node:zlib'
import { nativeAttester } from '../machine/native-attester.ts'
import { bindNodeKey, KEY_PCR, type PullMachine } from '../machine/pull-machine.ts'
import { softAttesting, ticked } from '../machine/soft-attesting.ts'
import type { Quote } from '../platform/quote-pcrs.ts'
import { softPcrs } from '../platform/soft-pcrs.ts'
import { parseAttest } from '../tpm/attest.ts'
import type { Bank } from '../tpm/hash.ts'
import { text } from '../tpm/write.ts'
import { type PullHost, quoteOfHost } from './deep-quote.ts'
import type { Misbehaviour, MisbehaviourInput, Quoting, Results } from './misbehaviour.ts'
import type { NodeKey } from './node-key.ts'

interface PullQuoteRequest {
  readonly nonce: string
  readonly pcrs: readonly number[]
  /** PCRs of the host, for a deep quote. */
  readonly hostPcrs?: readonly number[]
  /** Whether the public key is requested. */
  readonly withKey: boolean
  readonly version: string
  /** First requested line of the measurement list; undefined for an identity quote, which has no logs. */
  readonly entry?: number
}

interface AttesterOptions {
  readonly machine: PullMachine
  readonly host?: PullHost | undefined
  readonly nodeKey: NodeKey
  readonly hashAlg: Bank
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether results have `boottime`; default true. */
  readonly sendsBoottime?: boolean
}

/** Attests a machine as a pull agent does, one quote after the other. */
interface PullAttester {
  /** Returns `results` of a quote, modified by the misbehaviour. */
  attest(request: PullQuoteRequest, misbehaviour?: Misbehaviour): Promise<Results>
  /** Algorithm names in the spelling of a version. */
  algorithms(version: string): Algorithms
}

interface Algorithms {
  readonly hash_alg: string
  readonly enc_alg: string
  readonly sign_alg: string
}

/** Generic names, which up to 2.4 stand for the usual sizes. */
const GENERIC: Readonly<Record<string, string>> = { rsa2048: 'rsa', ecc256: 'ecc' }

function isBefore25(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 2 || (major === 2 && minor < 5)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Returns the text of a quote, or of a deep one; in 1.0 its parts are compressed. */
function quoteText(own: Quote, version: string, host?: Quote): string {
  const pack = (part: Uint8Array) => base64(version === '1.0' ? deflateSync(part) : part)
  const partsOf = ({ message, signature, blob }: Quote) => [message, signature, blob].map(pack)
  if (host === undefined) return `r${partsOf(own).join(':')}`
  return `d${[...partsOf(own), ...partsOf(host)].join(':')}`
}

/** Quotes the same values with a key that no machine has. */
async function quoteByAnother(machine: PullMachine, { nonce, pcrs, bank }: Quoting) {
  const honest = await machine.quote({ qualifyingData: text(nonce), pcrs, bank })
  const { clockInfo } = parseAttest(honest.message)
  const values = new Map([...honest.pcrValues].map(([pcr, value]) => [`${bank} ${pcr}`, value]))
  const parts = { pcrs: softPcrs(values), clockInfo: () => ticked(clockInfo) }
  const attester = nativeAttester('the attestation key of a stranger')
  return softAttesting({ attester, ...parts }).quote({ qualifyingData: text(nonce), pcrs, bank })
}

function secondsFrom(instant: string, now: number): number {
  return Math.floor((now - Date.parse(instant)) / 1000)
}

/** The last quote of each machine, successful or not. */
const lastOf = new WeakMap<PullMachine, Promise<unknown>>()

/** Serializes the quotes of a machine across its agents, since each quote measures a node key again. */
function inTurn<T>(machine: PullMachine, quote: () => Promise<T>): Promise<T> {
  const turn = (lastOf.get(machine) ?? Promise.resolve()).then(quote)
  lastOf.set(
    machine,
    turn.catch(() => undefined),
  )
  return turn
}

/** Creates an attester for a machine; its quotes run one after the other. */
export function pullAttester(options: AttesterOptions): PullAttester {
  const { machine, host, nodeKey, hashAlg, now, sendsBoottime = true } = options
  let before: Results | undefined
  const algorithms = (version: string): Algorithms => {
    const { algorithm, scheme = algorithm.startsWith('rsa') ? 'rsassa' : 'ecdsa' } = machine.ak
    const generic = isBefore25(version) ? GENERIC[algorithm] : undefined
    return { hash_alg: hashAlg, enc_alg: generic ?? algorithm, sign_alg: scheme }
  }
  const logs = ({ entry, pcrs }: PullQuoteRequest): Results => {
    if (entry === undefined) return {}
    // A name with a newline takes two lines.
    const lines = Buffer.from(machine.ima.ascii()).toString().split('\n')
    const from = entry < lines.length ? entry : 0
    const ima = {
      ima_measurement_list: lines.slice(from).join('\n'),
      ima_measurement_list_entry: from,
    }
    const boot = { mb_measurement_list: base64(machine.uefi.bytes) }
    return { ...(pcrs.includes(10) && ima), ...(pcrs.includes(0) && boot) }
  }
  const attest = async (request: PullQuoteRequest, bad: Misbehaviour): Promise<Results> => {
    await bindNodeKey(machine, nodeKey.digests)
    const { version, nonce } = request
    const quote = async ({ nonce: nonceText, ...rest }: Quoting) => {
      const own = await machine.quote({ qualifyingData: text(nonceText), ...rest })
      const { hostPcrs: below } = request
      const deep = host && below && quoteOfHost(host, own, { pcrs: below, bank: rest.bank })
      return quoteText(own, version, await deep)
    }
    const pcrs = [...new Set([...request.pcrs, KEY_PCR])].toSorted((a, b) => a - b)
    const quoting = { nonce, pcrs, bank: hashAlg }
    const honest = {
      quote: await quote(bad.quotes?.(quoting) ?? quoting),
      ...algorithms(version),
      ...(request.withKey && { pubkey: nodeKey.publicPem }),
      ...(sendsBoottime && { boottime: secondsFrom(machine.bootTime, now()) }),
      ...logs(request),
    }
    const input: MisbehaviourInput = {
      ...{ machine, quoting, quote, before, entry: request.entry ?? 0 },
      quoteByAnother: async (wanted) => quoteText(await quoteByAnother(machine, wanted), version),
    }
    const results = (await bad.returns?.(honest, input)) ?? honest
    before = results
    return results
  }
  return {
    algorithms,
    attest: (request, bad = { what: 'nothing wrong' }) =>
      inTurn(machine, () => attest(request, bad)),
  }
}
