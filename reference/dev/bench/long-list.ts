import { hash } from 'node:crypto'
import { Writer } from '../../bytes/writer.ts'
import { defaultChecks } from '../../evidence/evaluate.ts'
import { evaluateIma, type ImaEvidence } from '../../evidence/ima/evaluate-ima.ts'
import type { LineMemo } from '../../evidence/ima/list/line-memo.ts'
import { parseRuntimePolicy, type RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import type { VerifiedPcrs } from '../../evidence/quote/verified-pcrs.ts'
import { provenPcrs } from '../../evidence/testing/proven-pcrs.ts'

/** A measurement list of distinct files, a policy that allows exactly these, and the PCR it replays to. */
export interface LongList {
  readonly entries: number
  /** template data of each entry: the input of its hash */
  readonly data: readonly Uint8Array[]
  readonly evidence: Readonly<Record<'ascii' | 'binary', ImaEvidence>>
  readonly policyText: string
  readonly policy: RuntimePolicy
  readonly pcr: Uint8Array
  readonly verified: VerifiedPcrs
}

interface File {
  readonly path: string
  readonly digest: string
  readonly data: Uint8Array
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(hash('sha256', Buffer.concat(parts), 'buffer'))
}

function counted(writer: Writer, bytes: Uint8Array): void {
  writer.u32(bytes.length)
  writer.put(bytes)
}

function makeFile(number: number): File {
  const path = `/usr/lib/x86_64-linux-gnu/package-${number % 977}/module-${number}.so`
  const digest = hash('sha256', `content of file ${number}`, 'hex')
  const data = new Writer('little')
  counted(data, Buffer.concat([Buffer.from('sha256:\0'), Buffer.from(digest, 'hex')]))
  counted(data, Buffer.from(`${path}\0`))
  return { path, digest, data: data.finish() }
}

function asciiList(files: readonly File[]): Uint8Array {
  const lines = files.map(
    ({ path, digest, data }) => `10 ${hash('sha1', data, 'hex')} ima-ng sha256:${digest} ${path}\n`,
  )
  return new Uint8Array(Buffer.from(lines.join('')))
}

function binaryList(files: readonly File[]): Uint8Array {
  const writer = new Writer('little')
  for (const { data } of files) {
    writer.u32(10)
    writer.put(hash('sha1', data, 'buffer'))
    counted(writer, Buffer.from('ima-ng'))
    counted(writer, data)
  }
  return writer.finish()
}

function policyFor(files: readonly File[]): string {
  return JSON.stringify({
    meta: { version: 1, generator: 2 },
    release: 0,
    digests: Object.fromEntries(files.map(({ path, digest }) => [path, [digest]])),
    excludes: [],
    keyrings: {},
    ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
    'ima-buf': {},
    'verification-keys': '',
  })
}

/** PCR 10 of the SHA-256 bank, proven by a quote. */
export function provenPcr10(value: Uint8Array): VerifiedPcrs {
  return provenPcrs([{ bank: 'sha256', values: new Map([[10, value]]) }])
}

export function makeLongList(entries: number): LongList {
  const files = Array.from({ length: entries }, (_, number) => makeFile(number))
  const data = files.map((file) => file.data)
  const pcr = data.reduce((value, each) => sha256(value, sha256(each)), new Uint8Array(32))
  const policyText = policyFor(files)
  const evidence = (format: 'ascii' | 'binary', bytes: Uint8Array) =>
    ({ format, bytes, startingOffset: 0 }) as const
  return {
    entries,
    data,
    evidence: {
      ascii: evidence('ascii', asciiList(files)),
      binary: evidence('binary', binaryList(files)),
    },
    policyText,
    policy: parseRuntimePolicy(policyText),
    pcr,
    verified: provenPcr10(pcr),
  }
}

/** Evaluates the list. @throws {Error} if it does not pass, as the figure would be meaningless */
export function evaluateLongList(
  list: Pick<LongList, 'entries' | 'evidence' | 'policy' | 'verified'>,
  format: 'ascii' | 'binary',
  memo?: LineMemo,
): void {
  const { policy, verified } = list
  const expected = { policy, ignoreTomtouErrors: false, bootAggregates: new Set<string>() }
  const { imaList, imaEntry } = defaultChecks
  const evidence = list.evidence[format]
  const seen = evaluateIma(evidence, verified, expected, imaList, imaEntry, memo)
  if (seen.findings.length > 0 || seen.certified?.entriesCertified !== list.entries)
    throw new Error('the long list must pass')
}
