import type { Context } from '../scenario.ts'

/** Ends the verifier and starts it again; where Assay cannot, the scenario is not applicable. */
export async function restartVerifier({
  controls,
  notApplicable,
}: Pick<Context, 'controls' | 'notApplicable'>): Promise<void> {
  const {
    restart = () =>
      notApplicable('the verifier was not started here, and its target file has no hook restart'),
  } = controls
  await restart()
}
