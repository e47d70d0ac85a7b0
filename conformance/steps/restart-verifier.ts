import type { Context } from '../scenario.ts'

/** Restarts the verifier; the scenario is not applicable if Assay cannot restart it. */
export async function restartVerifier({
  controls,
  notApplicable,
}: Pick<Context, 'controls' | 'notApplicable'>): Promise<void> {
  const {
    restart = () =>
      notApplicable('Assay did not start the verifier, and the target file has no hook restart'),
  } = controls
  await restart()
}
