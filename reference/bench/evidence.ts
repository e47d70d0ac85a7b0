import { hash, verify } from 'node:crypto'
import Table from 'cli-table3'
import { evaluateIma } from '../evidence/ima/evaluate-ima.ts'
import { parseAsciiList } from '../evidence/ima/parse-ascii.ts'
import { parseBinaryList } from '../evidence/ima/parse-binary.ts'
import { evaluateQuote } from '../evidence/quote.ts'
import { listedPcrs, provenPcrs } from '../evidence/testing/proven-pcrs.ts'
import { recordedCase } from '../evidence/testing/recorded-case.ts'
import { recordedPolicy } from '../evidence/testing/recorded-policy.ts'
import { evaluateUefi } from '../evidence/uefi/evaluate-uefi.ts'
import { parseBootLog } from '../evidence/uefi/parse-log.ts'
import { hashes } from '../tpm/algorithms.ts'
import { decode } from '../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { type Signature, TPMT_SIGNATURE } from '../tpm/signature.ts'
import { recorded } from '../tpm/testing/recorded-boot.ts'

/** One thing measured beside the least work that could do it. */
interface Row {
  readonly subject: string
  readonly unit: string
  /** microseconds a unit */
  readonly ours: number
  readonly floor: string
  readonly least: number
}

const ROUNDS = 7
const ROUND_MS = 80

/** Microseconds of one call: the best of several rounds, as noise only ever adds. */
function cost(run: () => unknown, perCall = 1): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    let calls = 0
    while (performance.now() - start < ROUND_MS) {
      run()
      calls += 1
    }
    best = Math.min(best, (performance.now() - start) / calls)
  }
  return (best * 1000) / perCall
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hash('sha256', Buffer.concat(parts), 'buffer')
}

function bareSignature(signature: Signature): Uint8Array {
  if (signature.kind === 'rsassa') return signature.value.sig
  if (signature.kind !== 'ecdsa') throw new Error(`no bare form of ${signature.kind}`)
  return Buffer.concat([signature.value.signatureR, signature.value.signatureS])
}

function quoteRow(file: string, key: string): Row {
  const evidence = recordedCase({}, { file, key, hash: 'sha256', bank: 'sha256', pcrs: [10] })
  const { message } = evidence.quote
  const publicKey = publicKeyOf(decode(TPM2B_PUBLIC, evidence.attestationKey).contents)
  const bare = bareSignature(decode(TPMT_SIGNATURE, evidence.quote.signature))
  return {
    subject: `quote, ${file}`,
    unit: 'quote',
    ours: cost(() => evaluateQuote(evidence)),
    floor: 'crypto.verify with the key at hand',
    least: cost(() =>
      verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bare),
    ),
  }
}

const COPIES = 100

function imaRow(format: 'ascii' | 'binary'): Row {
  const one = recorded(`${format}_after_tools`)
  const bytes = new Uint8Array(Buffer.concat(Array.from({ length: COPIES }, () => one)))
  const verified = provenPcrs([
    { bank: 'sha256', values: new Map([[10, new Uint8Array(32).fill(0xee)]]) },
  ])
  const expected = {
    policy: recordedPolicy(),
    ignoreTomtouErrors: true,
    bootAggregates: new Set<string>(),
  }
  const parse = format === 'ascii' ? parseAsciiList : parseBinaryList
  const data = parse(bytes, hashes.sha1).map((item) =>
    item.kind === 'entry' ? item.data : item.bytes,
  )
  return {
    subject: `IMA list, ${format}, with policy`,
    unit: 'entry',
    ours: cost(
      () => evaluateIma({ format, bytes, startingOffset: 0 }, verified, expected),
      data.length,
    ),
    floor: 'SHA-1 and SHA-256 of the data, one extend',
    least: cost(() => hashAll(data), data.length),
  }
}

function hashAll(data: readonly Uint8Array[]): Uint8Array {
  let value: Uint8Array = new Uint8Array(32)
  for (const each of data) {
    hash('sha1', each, 'buffer')
    value = sha256(value, sha256(each))
  }
  return value
}

function uefiRow(): Row {
  const log = recorded('binary_bios_measurements')
  const text = Buffer.from(recorded('pcrs_before_tools.txt')).toString()
  const verified = provenPcrs(listedPcrs(text).filter(({ bank }) => bank === 'sha256'))
  const digests = parseBootLog(log).events.map(({ digests: each }) => each.get('sha256') ?? log)
  const extendAll = () => digests.reduce((value, digest) => sha256(value, digest))
  return {
    subject: 'boot log',
    unit: 'event',
    ours: cost(
      () => evaluateUefi(log, verified, 'sha256', { required: true, pcrs: [0, 7] }),
      digests.length,
    ),
    floor: 'one extend',
    least: cost(extendAll, digests.length),
  }
}

const rows = [
  quoteRow('rsassa_sha256_10', 'ak_rsa'),
  quoteRow('ecdsa256_sha256_10_16', 'ak_ecc256'),
  imaRow('ascii'),
  imaRow('binary'),
  uefiRow(),
]
const table = new Table({ head: ['subject', 'per', 'ours µs', 'floor', 'floor µs', 'ratio'] })
for (const { subject, unit, ours, floor, least } of rows)
  table.push([subject, unit, ours.toFixed(1), floor, least.toFixed(1), (ours / least).toFixed(2)])
console.log(table.toString())
