import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import { cat, text } from '../../simulator/tpm/write.ts'
import type { Kind } from './inspection.ts'
import { bootBytes, bootFile, inspected, reportOn } from './test-support.ts'

const LIST = bootBytes('ascii_after_tools')
const LOG = bootBytes('binary_bios_measurements')
const utf16 = new Uint8Array(
  Buffer.from(`\ufeff${Buffer.from(LIST).toString('latin1')}`, 'utf16le'),
)

function whyBroken(kind: Kind, content: Uint8Array | string): string {
  return inspected(kind, content)
    .broken.map(({ why }) => why)
    .join()
}

test.each<[string, Kind, Uint8Array | string, RegExp]>([
  [
    'a compressed list',
    'imalog',
    gzipSync(LIST),
    /; the file is compressed with gzip: .* gzip -dc$/,
  ],
  ['a compressed log', 'eventlog', gzipSync(LOG), /; the file is compressed with gzip/],
  ['a list in UTF-16', 'imalog', utf16, /; the file is text in UTF-16: .* iconv/],
  [
    'a key in PEM',
    'ekcert',
    bootBytes('ak_rsa.pem'),
    /its length is written in \d+ bytes.*; the file is a PUBLIC KEY in PEM/,
  ],
])('%s is reported with the next step', (_, kind, content, says) => {
  expect(whyBroken(kind, content)).toMatch(says)
})

test.each<[string, Kind, Uint8Array | string]>([
  ['a list', 'imalog', LIST],
  ['a log', 'eventlog', LOG],
  ['a certificate', 'ekcert', bootBytes('ekcert_1c00002.der')],
])('%s has no hint about its encoding', (_, kind, content) => {
  expect(whyBroken(kind, content)).toBe('')
  const cut = typeof content === 'string' ? content.slice(0, -9) : content.subarray(0, -9)
  expect(whyBroken(kind, cat(typeof cut === 'string' ? text(cut) : cut))).not.toContain(
    'compressed',
  )
})

test('PCR values without PCR 10 fail the comparison', () => {
  const pcrs = join(temporaryDirectory(), 'pcrs')
  writeFileSync(pcrs, `sha256 0 ${'00'.repeat(32)}\n`)
  const report = reportOn('imalog', LIST, { pcrs })
  expect(report.ok).toBe(false)
  expect(report.inspections[0]?.comparisons[0]).toMatchObject({ id: 'pcr-10', holds: false })
  expect(reportOn('imalog', LIST, { pcrs: bootFile('pcrs_after_tools.txt') }).ok).toBe(true)
})
