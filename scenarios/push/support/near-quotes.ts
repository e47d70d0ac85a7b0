import { type MutateAttest, TPM_ST } from './engine.ts'

export type Clock = Parameters<MutateAttest>[0]['clockInfo']
type Miss = readonly [requirement: string, says: string, attest: MutateAttest]

/** The clock of the last quote before the near misses. */
const FIRST: Clock = {
  clock: 0x1_0000_0005n,
  resetCount: 0x10005,
  restartCount: 0x10005,
  safe: 1,
}

function ofType(says: string, type: number): Miss {
  return ['ATT-QUOTE-IS-QUOTE', `of the type ${says}`, (one) => ({ ...one, type })]
}

function withMagic(says: string, magic: number): Miss {
  return ['ATT-QUOTE-MAGIC', `with ${says} of the magic`, (one) => ({ ...one, magic })]
}

function atClock(says: string, clock: Partial<Clock>): Miss {
  const clockInfo = { ...FIRST, ...clock }
  return ['ATT-CLOCK-FORWARD', `with ${says}`, (one) => ({ ...one, clockInfo })]
}

/** The same digest of PCR values, signed as that of other PCRs. */
function ofPcrs(says: string, change: (pcrs: readonly number[]) => readonly number[]): Miss {
  const attest: MutateAttest = ({ attested, ...one }) => {
    if (attested.kind !== 'quote') return { ...one, attested }
    const pcrSelect = attested.pcrSelect.map((bank) => ({ ...bank, pcrs: change(bank.pcrs) }))
    return { ...one, attested: { ...attested, pcrSelect } }
  }
  return ['ATT-PCRS-COVERED', `that selects ${says}`, attest]
}

const UNUSED = 23

/** Quotes over the right challenge by the enrolled key, each wrong in one field. */
export const MISSES: readonly Miss[] = [
  ofType('TPM_ST_ATTEST_NV', TPM_ST.ATTEST_NV),
  ofType('TPM_ST_ATTEST_COMMAND_AUDIT', TPM_ST.ATTEST_COMMAND_AUDIT),
  ofType('TPM_ST_ATTEST_SESSION_AUDIT', TPM_ST.ATTEST_SESSION_AUDIT),
  ofType('TPM_ST_ATTEST_CERTIFY', TPM_ST.ATTEST_CERTIFY),
  ofType('TPM_ST_ATTEST_TIME', TPM_ST.ATTEST_TIME),
  ofType('TPM_ST_ATTEST_CREATION', TPM_ST.ATTEST_CREATION),
  withMagic('the first half', 0xff540000),
  withMagic('the second half', 0x00004347),
  ofPcrs('other PCRs than those of the values', (pcrs) => pcrs.map((pcr) => pcr ^ 1)),
  ofPcrs('one PCR more', (pcrs) => [...pcrs, UNUSED]),
  ofPcrs('no PCR', () => []),
  atClock('a clock one millisecond back', { clock: FIRST.clock - 1n }),
  atClock('a clock one millisecond back and a restart between', {
    clock: FIRST.clock - 1n,
    restartCount: FIRST.restartCount + 1,
  }),
  atClock('a clock whose lower half is ahead and whose upper half is back', {
    clock: 0xffff_ffffn,
  }),
  atClock('a clock more than 2^31 milliseconds back', { clock: 0x7fff_ffffn }),
]

const ahead = (clock: bigint, resetCount: number, restartCount: number): Clock => ({
  ...FIRST,
  clock: FIRST.clock + clock,
  resetCount,
  restartCount,
})

/** Clocks that go on over resets and restarts, up to that of the last quote before the near misses. */
export const BEFORE: readonly Clock[] = [
  ahead(-4n, 0xffff, 0xffff),
  ahead(-3n, 0xffff, 0x10000),
  ahead(-2n, 0x10000, 0),
  FIRST,
]

/** The clock of near misses that have no clock of their own. */
export const NEXT: Clock = ahead(1n, FIRST.resetCount, FIRST.restartCount)

/** Clocks that go on after the near misses. */
export const AFTER: readonly Clock[] = [
  ahead(2n, 0x7fff_ffff, 0),
  ahead(3n, 0x8000_0000, 0),
  ahead(4n, 0x8000_0000, 0x7fff_ffff),
  ahead(5n, 0x8000_0000, 0x8000_0000),
]
