import { hash } from 'node:crypto'
import { evaluateIma } from '../evidence/ima/evaluate-ima.ts'
import { parseAsciiList } from '../evidence/ima/parse-ascii.ts'
import { parseBinaryList } from '../evidence/ima/parse-binary.ts'
import { listedPcrs, provenPcrs } from '../evidence/testing/proven-pcrs.ts'
import { recordedPolicy } from '../evidence/testing/recorded-policy.ts'
import { evaluateUefi } from '../evidence/uefi/evaluate-uefi.ts'
import { parseBootLog } from '../evidence/uefi/parse-log.ts'
import { hashes } from '../tpm/algorithms.ts'
import { recorded } from '../tpm/testing/recorded-boot.ts'
import { cost, present, type Row } from './measure.ts'
import { quoteRows } from './quote-rows.ts'

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hash('sha256', Buffer.concat(parts), 'buffer')
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

present([...quoteRows(), imaRow('ascii'), imaRow('binary'), uefiRow()])
