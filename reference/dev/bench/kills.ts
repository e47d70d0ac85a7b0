import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killVerifier } from '../testing/verifier/kill-verifier.ts'

/** `node bin/dev.js reference/dev/bench/kills.ts [times]`: kills verifiers between evidence and verdict; default: 100 times. */
const times = Number(process.argv[2] ?? 100)
const state = mkdtempSync(join(tmpdir(), 'assay-kills-'))
try {
  const { left, verdicts, written, counted } = await killVerifier(state, times)
  console.log(
    `${times} kills: ${left} left evidence unjudged on disk, ${verdicts} verdicts after the restart, ` +
      `${written} written, ${counted} counted`,
  )
  if ([left, verdicts, written, counted].some((each) => each !== times)) process.exitCode = 1
} finally {
  rmSync(state, { recursive: true, force: true })
}
