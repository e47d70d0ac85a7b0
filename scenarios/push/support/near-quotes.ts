import { type MutateAttest, TPM_ST } from './engine.ts'

type Clock = Parameters<MutateAttest>[0]['clockInfo']
type Miss = readonly [requirement: string, says: string, attest: MutateAttest]
/** A quote that passes, after what has happened on the machine since the one before. */
export type Step = readonly [says: string, clock: Clock]

/** The clock of the last quote before the near misses. */
const BASE: Clock = {
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
  const clockInfo = { ...BASE, ...clock }
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

const OTHER_THAN_CLOCK: readonly Miss[] = [
  ofType('TPM_ST_ATTEST_NV', TPM_ST.ATTEST_NV),
  ofType('TPM_ST_ATTEST_COMMAND_AUDIT', TPM_ST.ATTEST_COMMAND_AUDIT),
  ofType('TPM_ST_ATTEST_SESSION_AUDIT', TPM_ST.ATTEST_SESSION_AUDIT),
  ofType('TPM_ST_ATTEST_CERTIFY', TPM_ST.ATTEST_CERTIFY),
  ofType('TPM_ST_ATTEST_TIME', TPM_ST.ATTEST_TIME),
  ofType('TPM_ST_ATTEST_CREATION', TPM_ST.ATTEST_CREATION),
  [
    'ATT-QUOTE-IS-QUOTE',
    'with a byte behind it that is signed too',
    (one) => ({ ...one, leftover: new Uint8Array(1) }),
  ],
  withMagic('the first half', 0xff540000),
  withMagic('the second half', 0x00004347),
  ofPcrs('other PCRs than those of the values', (pcrs) => pcrs.map((pcr) => pcr ^ 1)),
  ofPcrs('one PCR more', (pcrs) => [...pcrs, UNUSED]),
  ofPcrs('no PCR', () => []),
]

/**
 * Quotes over the right challenge by the enrolled key, each wrong in one field. A clock that is right is ahead of those
 * before it: it is not why a quote fails, also if one before it passed.
 */
export const MISSES: readonly Miss[] = [
  ...OTHER_THAN_CLOCK.map(
    ([requirement, says, change], at): Miss => [
      requirement,
      says,
      (one) => change({ ...one, clockInfo: ahead(at + 1) }),
    ],
  ),
  atClock('a clock one millisecond back', { clock: BASE.clock - 1n }),
  atClock('a clock one millisecond back and a restart between', {
    clock: BASE.clock - 1n,
    restartCount: BASE.restartCount + 1,
  }),
  atClock('a clock whose lower half is ahead and whose upper half is back', {
    clock: 0xffff_ffffn,
  }),
  atClock('a clock more than 2^31 milliseconds back', { clock: 0x7fff_ffffn }),
]

function ahead(
  milliseconds: number,
  { resetCount, restartCount }: Pick<Clock, 'resetCount' | 'restartCount'> = BASE,
): Clock {
  return { ...BASE, clock: BASE.clock + BigInt(milliseconds), resetCount, restartCount }
}

/** Clocks that go on over resets and restarts. */
export const BEFORE: readonly Step[] = [
  [
    'the first quote, with resetCount 65535 and restartCount 65535',
    ahead(-4, { resetCount: 0xffff, restartCount: 0xffff }),
  ],
  [
    'a quote after a restart: restartCount 65535 to 65536',
    ahead(-3, { resetCount: 0xffff, restartCount: 0x10000 }),
  ],
  [
    'a quote after a reset, which clears restartCount: resetCount 65535 to 65536',
    ahead(-2, { resetCount: 0x10000, restartCount: 0 }),
  ],
]

/** The last quote before the near misses. */
export const LAST: Step = [
  'a quote after more resets and restarts: resetCount 65536 to 65541, restartCount 0 to 65541',
  BASE,
]

/** The first quote after the near misses, if each of them failed: none of their clocks is the last one. */
export const NEXT: Step = [
  'a quote at the clock of one that failed',
  ahead(OTHER_THAN_CLOCK.length),
]

/** Clocks that go on after the near misses. */
export const AFTER: readonly Step[] = [
  [
    'a quote after resets, which clear restartCount: resetCount 65541 to 2147483647',
    afterMisses(1, { resetCount: 0x7fff_ffff, restartCount: 0 }),
  ],
  [
    'a quote after a reset: resetCount 2147483647 to 2147483648',
    afterMisses(2, { resetCount: 0x8000_0000, restartCount: 0 }),
  ],
  [
    'a quote after restarts: restartCount 0 to 2147483647',
    afterMisses(3, { resetCount: 0x8000_0000, restartCount: 0x7fff_ffff }),
  ],
  [
    'a quote after a restart: restartCount 2147483647 to 2147483648',
    afterMisses(4, { resetCount: 0x8000_0000, restartCount: 0x8000_0000 }),
  ],
]

function afterMisses(
  milliseconds: number,
  counts: Pick<Clock, 'resetCount' | 'restartCount'>,
): Clock {
  return ahead(OTHER_THAN_CLOCK.length + milliseconds, counts)
}
