import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Exploration, explore, type Limits } from '../model/explore.ts'
import type { Telling } from '../model/telling.ts'
import { packageRoot } from '../package-root.ts'
import { inRunDirectory } from '../runner/in-run-directory.ts'
import { layOut } from '../runner/lay-out.ts'
import { loadRequirements } from '../spec/load-requirements.ts'
import { freshOut } from './command.ts'

const MUTANTS = join(packageRoot(), 'reference', 'mutants')
const { ASSAY_SEED = 'stories' } = process.env
const rows = loadRequirements()

/** Tells stories to a mutant, or to what ships; `kind` is that of its target file in `reference/mutants`. */
export async function exploreMutant<Story>(
  mutant: string,
  kind: string,
  telling: Telling<Story>,
  limits: Limits,
): Promise<Exploration> {
  const out = freshOut()
  process.env['ASSAY_MUTANT'] = mutant
  try {
    return await inRunDirectory(out, async (run, interrupted) => {
      const surroundings = { run, seed: ASSAY_SEED, interrupted, rows, say: () => undefined }
      const { bench } = await layOut(join(MUTANTS, `${kind}-mutant.target.yaml`), surroundings)
      return explore(bench, telling, limits)
    })
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
