import { BANKS, type Bank, digest } from '../../../simulator/tpm/hash.ts'
import { cat, toHex } from '../../../simulator/tpm/write.ts'
import type { Comparison, ImaFacts, ReplayRow } from '../inspection.ts'
import { IMA_PCR } from '../replay.ts'
import type { Warnings } from '../warnings.ts'
import type { PublishedPcrs } from './pcr-file.ts'

const RULES: Readonly<Record<ReplayRow['rule'], string>> = {
  'own-hash': 'with the template data hashed in the algorithm of the bank',
  'padded-sha1': 'with the SHA-1 template hash padded with zeros',
}
const PLACE = { part: 'PCR file', offset: 0, path: 'PCR 10' }

function saysOf(bank: Bank, rows: readonly ReplayRow[], entries: number): Comparison {
  const id = `pcr-10-${bank}`
  const fitting = rows.find(({ fits }) => fits === true)
  if (fitting !== undefined) {
    const rule = bank === 'sha1' ? 'with the template hash' : RULES[fitting.rule]
    return { id, holds: true, says: `PCR 10 of ${bank} matches the replayed list, ${rule}` }
  }
  const early = rows.find(({ fits_after }) => fits_after !== null)
  if (early !== undefined) {
    const left = entries - (early.fits_after ?? 0)
    return {
      id,
      holds: true,
      says: `PCR 10 of ${bank} matches after ${early.fits_after} of ${entries} entries, ${RULES[early.rule]}; ${left} were measured later`,
    }
  }
  return {
    id,
    holds: false,
    says: `PCR 10 of ${bank} does NOT match the replayed list by either rule`,
  }
}

/** Compares the replayed values with published values, bank by bank, and names the matching rule. */
export function comparePcrs(
  { replay, entries }: ImaFacts,
  published: PublishedPcrs | undefined,
  warnings: Warnings,
): readonly Comparison[] {
  if (published === undefined) {
    return [{ id: 'pcr-10', holds: null, says: 'not compared: no PCR values given (--pcrs FILE)' }]
  }
  if (!BANKS.some((bank) => published.get(bank)?.has(IMA_PCR))) {
    const says = 'PCR 10 cannot be compared: it is not among the given values'
    return [{ id: 'pcr-10', holds: false, says }]
  }
  return BANKS.flatMap((bank) => {
    if (!published.get(bank)?.has(IMA_PCR)) {
      if (bank === 'sha256') warnings.add('missing-bank', { ...PLACE, says: 'no PCR 10 of sha256' })
      return []
    }
    const rows = replay.filter((row) => row.bank === bank)
    const fitting = rows.filter(({ fits_after }) => fits_after !== null)
    if (
      bank !== 'sha1' &&
      fitting.length > 0 &&
      fitting.every(({ rule }) => rule === 'padded-sha1')
    ) {
      warnings.add('padded-bank', { ...PLACE, says: `PCR 10 of ${bank}` })
    }
    if (fitting.length > 0 && fitting.every(({ fits }) => fits === false)) {
      warnings.add('list-continues', {
        ...PLACE,
        says: `${bank}: ${fitting[0]?.fits_after} of ${entries} entries`,
      })
    }
    return [saysOf(bank, rows, entries)]
  })
}

function valuesOf(
  pcrs: ReadonlyMap<number, Uint8Array> | undefined,
  last: number,
): readonly Uint8Array[] | undefined {
  const values = Array.from({ length: last + 1 }, (_, pcr) => pcrs?.get(pcr))
  const there = values.filter((value) => value !== undefined)
  return there.length === values.length ? there : undefined
}

/** boot_aggregate is the hash of PCR 0 to 9 since Linux 5.8, except in the SHA-1 bank; otherwise of PCR 0 to 7. */
export function compareAggregate(
  { boot_aggregate }: ImaFacts,
  published: PublishedPcrs | undefined,
): readonly Comparison[] {
  const [name = '', listed] = boot_aggregate?.digest.split(':').slice(-2) ?? []
  const bank = BANKS.find((each) => each === name)
  if (published === undefined || boot_aggregate === null || bank === undefined) return []
  const ranges = [9, 7].map((last) => ({ last, values: valuesOf(published.get(bank), last) }))
  const possible = ranges.filter(({ values }) => values !== undefined)
  if (possible.length === 0) return []
  const right = possible.find(
    ({ values }) => toHex(digest(bank, cat(...(values ?? [])))) === listed,
  )
  const id = 'boot-aggregate'
  return right === undefined
    ? [
        {
          id,
          holds: false,
          says: `boot_aggregate is NOT the hash of PCR 0-9 or PCR 0-7 of ${bank}`,
        },
      ]
    : [{ id, holds: true, says: `boot_aggregate is the hash of PCR 0-${right.last} of ${bank}` }]
}
