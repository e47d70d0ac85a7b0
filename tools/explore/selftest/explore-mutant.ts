import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import type { Model } from '../../../conformance/model/model.ts'
import { inRunDirectory } from '../../../conformance/runner/in-run-directory.ts'
import { openDeployment } from '../../../conformance/runner/open-deployment.ts'
import { freshOut } from '../../../conformance/selftest/command.ts'
import { type Exploration, explore, type Limits } from '../explore.ts'

const MUTANTS = join(packageRoot(), 'reference', 'dev', 'mutants')
const { ASSAY_SEED = 'stories' } = process.env
const rows = loadRequirements()

/** Explores a mutant, or the unchanged reference (`shipped`); `kind` names its target file in `reference/dev/mutants`. */
export async function exploreMutant<Sequence>(
  mutant: string,
  kind: string,
  model: Model<Sequence>,
  limits: Limits,
): Promise<Exploration> {
  const out = freshOut()
  process.env['ASSAY_MUTANT'] = mutant
  try {
    return await inRunDirectory(out, async (run, interrupted) => {
      const surroundings = { run, seed: ASSAY_SEED, interrupted, rows, say: () => undefined }
      const { environment } = await openDeployment(
        join(MUTANTS, `${kind}-mutant.target.yaml`),
        surroundings,
      )
      return explore(environment, model, limits)
    })
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
