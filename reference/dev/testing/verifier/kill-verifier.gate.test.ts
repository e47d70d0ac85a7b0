import { expect, test } from 'vitest'
import { temporaryDirectory } from '../temporary-directory.ts'
import { killVerifier } from './kill-verifier.ts'

/** Each kill starts two verifiers. */
const KILLS = 5

test('of evidence whose verifier was killed over it, every verdict comes after the restart, and once', async () => {
  const { left, verdicts, written, counted } = await killVerifier(temporaryDirectory(), KILLS)
  expect({ left, verdicts, written, counted }).toEqual({
    left: KILLS,
    verdicts: KILLS,
    written: KILLS,
    counted: KILLS,
  })
})
