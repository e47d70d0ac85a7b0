import type { Context } from '../scenario.ts'

type Parts = Pick<Context, 'controls' | 'notApplicable'>

/** Returns what restarts the verifier; the scenario is not applicable if Assay cannot restart it. */
export function restartOfVerifier({ controls, notApplicable }: Parts): () => Promise<void> {
  return (
    controls.restart ??
    notApplicable('Assay did not start the verifier, and the target file has no hook restart')
  )
}

/** Restarts the verifier; the scenario is not applicable if Assay cannot restart it. */
export async function restartVerifier(parts: Parts): Promise<void> {
  await restartOfVerifier(parts)()
}

/** Restarts the registrar; the scenario is not applicable if Assay cannot restart it. */
export async function restartRegistrar({ controls, notApplicable }: Parts): Promise<void> {
  const restart =
    controls.restartRegistrar ??
    notApplicable('Assay did not start the registrar, and the target file has no hook restart')
  await restart()
}
