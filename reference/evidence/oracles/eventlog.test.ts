import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { toHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { hashByName, hashes } from '../../tpm/algorithms.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { generatedBoots } from '../testing/generated-boots.ts'
import { ask, each, isThere, put, scratch } from '../testing/oracles/ask.ts'
import { absent, real } from '../testing/real-data.ts'
import { type WrittenEvent, writtenLog } from '../testing/written-log.ts'
import { parseBootLog } from '../uefi/log/parse-log.ts'
import { replayBank, startupLocality } from '../uefi/log/replay.ts'

const TOOL = 'tpm2_eventlog'

/** `sha256 0 758b…` for every PCR that a log extends; undefined when it is refused. */
function ours(bytes: Uint8Array): readonly string[] | undefined {
  try {
    const log = parseBootLog(bytes)
    const locality = startupLocality(log.events)
    return log.banks.flatMap((name) => {
      const bank = hashByName(name)
      if (!bank?.digest) return []
      return [...replayBank(log, bank, locality)].map(
        ([pcr, value]) => `${name} ${pcr} ${toHex(value)}`,
      )
    })
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** The same from the output of the tool. */
function theirs(text: string): readonly string[] {
  const at = text.indexOf('\npcrs:')
  const { pcrs } = parse(at < 0 ? 'pcrs: {}' : text.slice(at), { schema: 'failsafe' }) as {
    readonly pcrs: Readonly<Record<string, Readonly<Record<string, string>>>> | ''
  }
  return Object.entries(pcrs || {}).flatMap(([bank, values]) =>
    Object.entries(values || {}).map(
      ([pcr, value]) => `${bank} ${pcr} ${value.slice(2).toLowerCase()}`,
    ),
  )
}

/** PCR 0 cannot be compared: the tool starts it from zeros for every startup locality. */
function comparable(log: Uint8Array): (line: string) => boolean {
  const { events } = parseBootLog(log)
  return startupLocality(events) === 0 ? () => true : (line) => !/^\w+ 0 /.test(line)
}

/** The tool reads bytes after the end of a log as events. */
function isPadded(log: Uint8Array): boolean {
  return parseBootLog(log).padding > 0
}

/** Where there is no answer, there is nothing to compare with. */
const NO_ANSWER = { accepts: false, text: '' }

async function differences(logs: readonly (readonly [string, Uint8Array])[]) {
  const directory = scratch()
  const compared = await each(logs, async ([name, bytes], index) => {
    const mine = ours(bytes)
    const [path = ''] = put(directory, { [`log-${index}`]: bytes })
    const { accepts, text } = await ask(TOOL, [path]).catch(() => NO_ANSWER)
    if (mine === undefined || !accepts || isPadded(bytes)) return undefined
    const linesOf = (lines: readonly string[]) => new Set(lines.filter(comparable(bytes)))
    const [one, other] = [linesOf(mine), linesOf(theirs(text))]
    return { name, differs: one.size !== other.size || [...one].some((line) => !other.has(line)) }
  })
  const both = compared.filter((one) => one !== undefined)
  return {
    both: both.length,
    differ: both.filter(({ differs }) => differs).map(({ name }) => name),
  }
}

/** Copies of a log with one byte changed, every so many bytes. */
function mutated(log: Uint8Array, count: number): readonly (readonly [string, Uint8Array])[] {
  return Array.from({ length: count }, (_, number) => {
    const at = Math.floor((number * log.length) / count)
    const copy = new Uint8Array(log)
    copy[at] = (copy[at] ?? 0) ^ (1 << (number % 8))
    return [`byte ${at}`, copy] as const
  })
}

/** Version 5.4 of the tool extends EV_NO_ACTION events, which no TPM does (PFP 10.4.1). */
function isMeasured({ type }: WrittenEvent): boolean {
  return type !== 'EV_NO_ACTION'
}

/** Boots that no machine had, in as many banks as logs have. */
function generated(count: number): readonly (readonly [string, Uint8Array])[] {
  const banks = [hashes.sha1, hashes.sha256, hashes.sha384, hashes.sha512]
  const boots = fc.sample(generatedBoots, { numRuns: count, seed: count })
  return boots.map((events, number) => {
    const some = banks.slice(0, 1 + (number % banks.length))
    return [`boot ${number}`, writtenLog(events.filter(isMeasured), some)] as const
  })
}

const missing = !isThere(TOOL)
const WHY = missing ? ` (skipped: no ${TOOL} on PATH)` : ''
const CHANGES = Number(process.env['ASSAY_ORACLE_CHANGES'] ?? 60)
const BOOTS = Number(process.env['ASSAY_ORACLE_BOOTS'] ?? 20)
const LONGEST_MS = 60_000 + (CHANGES + BOOTS) * 200

describe.skipIf(missing)(`${TOOL} and this parser${WHY}`, () => {
  test(
    'replay the recorded log and changed ones to the same PCRs, where both read them',
    async () => {
      const log = recorded('binary_bios_measurements')
      const { both, differ } = await differences([['whole', log], ...mutated(log, CHANGES)])
      expect(differ).toEqual([])
      expect(both).toBeGreaterThan(CHANGES / 4)
    },
    LONGEST_MS,
  )

  test(
    'replay generated boots to the same PCRs, where both read them',
    async () => {
      const { both, differ } = await differences(generated(BOOTS))
      expect(differ).toEqual([])
      expect(both).toBeGreaterThan(BOOTS / 2)
    },
    LONGEST_MS,
  )

  test.skipIf(absent)('replay real logs to the same PCRs, where both read them', async () => {
    const folders = [
      'go-eventlog/testdata/eventlogs/tpm/',
      'tpm2-tools/test/integration/fixtures/',
      'keylime/test/data/create-mb-policy/',
    ]
    const root = new URL('../../../../shared/data/', import.meta.url)
    const names = folders.flatMap((folder) =>
      readdirSync(fileURLToPath(new URL(folder, root)))
        .filter((name) => /^(event.*|.*\.)bin$|^binary_bios/.test(name))
        .map((name) => folder + name),
    )
    const { both, differ } = await differences(names.map((name) => [name, real(name)] as const))
    expect(differ).toEqual([])
    expect(both).toBeGreaterThan(12)
  })
})
