import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { CapabilityAnswers } from '../preflight/examination.ts'
import { probeCapabilities } from '../runner/capability-probes.ts'
import { openMachineFactory } from '../runner/make-environment.ts'
import { compareDialects, troubleWith } from '../runner/preflight-probes.ts'
import { chooseDialect } from '../target/choose-dialect.ts'
import { startDeployment } from '../target/deployment/deployment.ts'
import { NO_DEVIATIONS } from '../target/deviations.ts'
import { createRunDirectory } from '../target/processes/run-directory.ts'
import type { Target } from '../target/target.ts'

/** What shows when agents are enrolled and deleted again. */
export interface AgentAnswers {
  /** The dialect in which an agent is enrolled, if it is not that of the target. */
  readonly dialect?: string
  readonly capabilities: CapabilityAnswers
}

/** Enrols agents at a deployment that runs, finds out its dialect and capabilities, and deletes the agents. */
export async function probeAgents(target: Target): Promise<AgentAnswers> {
  const out = mkdtempSync(join(tmpdir(), 'assay-init-'))
  const run = createRunDirectory(out)
  try {
    const factory = await openMachineFactory(await createManufacturer({ now: new Date() }), run)
    const parts = {
      ...{ target, deployment: await startDeployment(target, run), run, factory },
      ...{ dialect: chooseDialect(target.dialect), deviations: NO_DEVIATIONS, rows: [] },
      ...{ seed: 'init', interrupted: new AbortController().signal },
    }
    const named = target.dialect.base
    const { suggests } = await compareDialects(named, (name) => troubleWith(parts, name))
    const dialect = chooseDialect({ ...target.dialect, base: suggests ?? named })
    const capabilities = await probeCapabilities({ ...parts, dialect })
    return { ...(suggests !== undefined && { dialect: suggests }), capabilities }
  } finally {
    await run.close()
    rmSync(out, { recursive: true, force: true })
  }
}
