import { readFileSync } from 'node:fs'
import { expect, describe as group, test } from 'vitest'
import { parse } from 'yaml'
import { type EvmctlRequest, evmctl, evmctlMatches, HAS_EVMCTL } from '../testing/evmctl.ts'
import { openLab } from '../testing/lab.ts'
import { type Bank, digest, HASHES } from '../tpm/hash.ts'
import { parsePcrBlob } from '../tpm/pcr-blob.ts'
import { cat, filled, fromHex } from '../tpm/write.ts'
import { fixture } from '../vectors/fixtures.ts'
import { TEMPLATE_NAMES } from './fields.ts'
import { type ImaEntry, parseImaList, writeImaList } from './list.ts'
import { imaBufEntry, imaEntry, violationEntry } from './make-entry.ts'
import { extendValues } from './template.ts'

const lab = openLab()

/** Returns PCR 10 after a kernel measured the entries, by the rules of this simulator. */
function replayed(entries: readonly ImaEntry[], bank: Bank): Uint8Array {
  return entries.reduce(
    (value, entry) => digest(bank, cat(value, extendValues(entry)[bank])),
    filled(HASHES[bank].size),
  )
}

async function requestFor(
  entries: readonly ImaEntry[],
  bank: Bank,
  change: Partial<EvmctlRequest> = {},
): Promise<EvmctlRequest> {
  const [directory, pcr10] = [await lab.directory(), replayed(entries, bank)]
  return { directory, bank, pcr10, list: writeImaList(entries), ...change }
}

function file(template: string, path: string): ImaEntry {
  const size = template === 'ima' ? 20 : 32
  const modsig = { digest: filled(32, 4), pkcs7: filled(90, 5) }
  const xattrs = new Map([['security.ima', fromHex('0404')]])
  const evm = { signature: fromHex('0502'), xattrs, uid: 0, gid: 1000, mode: 0o100755 }
  return imaEntry(template, { path, digest: filled(size, 7), buffer: filled(9), modsig, evm })
}

const BOTH: readonly Bank[] = ['sha1', 'sha256']
const templates = [...TEMPLATE_NAMES, 'd-ng|n-ng', 'd-ng|n-ng|sig']
const cases = templates.flatMap((template) => BOTH.map((bank) => [template, bank] as const))
const MIXED = [
  file('ima-ng', 'boot_aggregate'),
  imaBufEntry('kernel_version', filled(3, 0x36)),
  file('ima-sig', '/usr/bin/a'),
  file('evm-sig', '/usr/bin/b'),
]
const SOME = [file('ima-ng', '/a'), violationEntry('/b', 'ima-ng'), file('ima-ng', '/c')]

const BASELINE = new URL('../../fixtures/adversarial/e7-ima-binary.json', import.meta.url)

interface BaselineFile {
  readonly baselines: {
    readonly list: { readonly quote: string; readonly ima: { readonly entries: string } }
  }
}

group.skipIf(!HAS_EVMCTL)('with evmctl', () => {
  test.each(cases)('a list of %s replays to the same PCR 10 of %s', async (template, bank) => {
    const entries = ['/usr/bin/a', '/usr/bin/b c\n'].map((path) => file(template, path))
    expect(await evmctlMatches(await requestFor(entries, bank))).toBe(true)
  })

  test.each(BOTH)('a list of mixed templates replays to the same PCR 10 of %s', async (bank) => {
    expect(await evmctlMatches(await requestFor(MIXED, bank))).toBe(true)
  })

  test.each(BOTH)(
    'the list of the recorded boot replays to the same PCR 10 of %s',
    async (bank) => {
      const entries = parseImaList(fixture('binary_before_tools'))
      const request = await requestFor(entries, bank, { options: ['--ignore-violations'] })
      expect(await evmctlMatches(request)).toBe(true)
    },
  )

  test('the baseline list of the adversarial evidence replays to the PCR 10 that is quoted', async () => {
    const { baselines } = JSON.parse(readFileSync(BASELINE, 'utf8')) as BaselineFile
    const [, , blob = ''] = baselines.list.quote.split(':')
    const [pcr10 = filled(0)] = parsePcrBlob(new Uint8Array(Buffer.from(blob, 'base64'))).values
    const list = new Uint8Array(Buffer.from(baselines.list.ima.entries, 'base64'))
    const request = { directory: await lab.directory(), bank: 'sha256', pcr10, list } as const
    expect(await evmctlMatches(request)).toBe(true)
  })

  test('a list that lacks an entry does not replay', async () => {
    const list = writeImaList(MIXED.toSpliced(1, 1))
    expect(await evmctlMatches(await requestFor(MIXED, 'sha256', { list }))).toBe(false)
  })
})

/** Reproduces what `conformance/catalogue/oracle-faults.yaml` says of evmctl. */
const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  'evmctl-violations': async () => {
    const request = await requestFor(SOME, 'sha256')
    expect(await evmctlMatches(request)).toBe(false)
    expect(await evmctlMatches({ ...request, options: ['--ignore-violations'] })).toBe(true)
  },
  'evmctl-mixed-original': async () => {
    const request = await requestFor([...MIXED, file('ima', '/c')], 'sha256')
    expect(await evmctl(request)).toMatch(/Mixed measurement list containing "ima"/)
  },
  'evmctl-long-banks': async () => {
    for (const bank of ['sha384', 'sha512'] as const) {
      expect(await evmctl(await requestFor(MIXED, bank))).toMatch(/Unknown algorithm/)
    }
  },
  'evmctl-bank-layouts': async () => {
    const [entry = file('ima-ng', '/a')] = MIXED
    const list = writeImaList([{ ...entry, templateHash: filled(32, 1) }])
    expect(await evmctlMatches(await requestFor([entry], 'sha256', { list }))).toBe(false)
  },
  'evmctl-unread-fields': async () => {
    const request = await requestFor([file('evm-sig', '/a')], 'sha256')
    expect(await evmctl(request)).toMatch(/contains unprocessed data[\s\S]*Matched per TPM bank/)
  },
}

interface OracleFault {
  readonly id: string
  readonly tool: string
}

const spec = new URL('../../conformance/catalogue/oracle-faults.yaml', import.meta.url)
const rows = (parse(readFileSync(spec, 'utf8')) as readonly OracleFault[]).filter(({ tool }) =>
  tool.startsWith('evmctl '),
)

test('each known fault of evmctl is tested', () => {
  expect(rows.map(({ id }) => id)).toEqual(Object.keys(FAULTS))
})

test.skipIf(!HAS_EVMCTL).each(rows)('$id is still reproducible', async ({ id }) => {
  await FAULTS[id]?.()
})
