import type { Variant } from '../form.ts'
import { broken, either, PASSES, unreadable, variantsOf } from '../variant.ts'
import { soft } from './e2-baselines.ts'
import { attested } from './soft-quote.ts'

const { clock, resetCount, restartCount } = soft.attest

/** The clock a minute before that of the baseline. */
const BEFORE = { clock: String(clock - 60_000n), resetCount, restartCount }

/** Case 20 without a previous cycle: unusual clock values. */
function oddClocks(): readonly Variant[] {
  const make = variantsOf('e2', 20, 'soft')
  return [
    make('safe-zero', 'The clock is not safe', attested(soft, { safe: 0 }), either()),
    // TPMI_YES_NO has two values (Part 2, 9.2); the list of inputs leaves the answer to a third one open.
    make('safe-two', '`safe` is neither yes nor no', attested(soft, { safe: 2 }), {
      ...unreadable('quote.structure'),
      outcome: 'either',
    }),
    make(
      'clock-at-its-end',
      'The clock has the greatest value there is',
      attested(soft, { clock: 0xffffffffffffffffn }),
      either(),
    ),
  ]
}

/** Case 20 after a previous cycle, which only a verifier with a history of the machine can compare. */
function progress(): readonly Variant[] {
  const make = variantsOf('e2', 20, 'soft')
  const after = (slug: string, what: string, change: object, ending = broken('quote.clock')) =>
    make(slug, what, { previous_clock: { ...BEFORE, ...change } }, ending)
  return [
    after('clock-went-on', 'The clock has gone on since the last cycle', {}, PASSES),
    after('clock-went-back', 'The clock was a second higher in the last cycle', {
      clock: String(clock + 1000n),
    }),
    after('reset-went-back', 'resetCount was one higher in the last cycle', {
      resetCount: resetCount + 1,
    }),
    after(
      'reset-went-on',
      'resetCount was one lower in the last cycle: a reboot',
      { resetCount: resetCount - 1 },
      either(),
    ),
    after(
      'restart-went-on',
      'restartCount was one lower in the last cycle: a resume',
      { restartCount: restartCount - 1 },
      either(),
    ),
    after('restart-went-back', 'restartCount was one higher in the last cycle', {
      restartCount: restartCount + 1,
    }),
  ]
}

/** Cases 20 and 21 of E.2: clock and firmware of a TPM. */
export function clockVariants(): readonly Variant[] {
  const firmware = attested(soft, { firmwareVersion: 0x20250601_00000001n })
  return [
    ...oddClocks(),
    ...progress(),
    variantsOf('e2', 21, 'soft')(
      'firmware-changed',
      'The firmware version is another one than in the quote before',
      firmware,
      either(),
    ),
  ]
}
