import { type ExamineOptions, examine } from '../../preflight/examine.ts'
import type { DoctorReport } from '../../preflight/finding.ts'
import type { Deployment } from '../../target/deployment/deployment.ts'
import type { Target } from '../../target/target.ts'
import { makeEnvironment, type RunEnvironment } from '../../target/testing/test-deployment.ts'
import { type Answering, asVerifier, type FakeOptions, type Reply, serve } from './test-fixture.ts'

/** A deployment without started roles. */
export const DEPLOYMENT: Deployment = {
  roles: {},
  pids: {},
  steps: [],
  died: () => undefined,
  whenDied: new Promise<never>(() => undefined),
  restart: async () => undefined,
  stop: async () => undefined,
}

/** A deployment of fakes with the given roles, and the options of its examination. */
interface Case {
  readonly verifier?: FakeOptions
  readonly registrar?: FakeOptions
  readonly change?: Partial<Target>
  readonly options?: ExamineOptions
}

export async function examineFakes(
  environment: RunEnvironment,
  { change, options, ...fakes }: Case,
): Promise<DoctorReport> {
  const roles = await Promise.all(
    (['verifier', 'registrar'] as const).flatMap((role) => {
      const fake = fakes[role]
      return fake === undefined
        ? []
        : [serve(environment.ca, role, fake).then((url) => ({ role, url }))]
    }),
  )
  return await examine(
    environment.target(roles, { versions: ['2.5', '3.0'], ...change }),
    DEPLOYMENT,
    options,
  )
}

/** Code and severity of every finding that is not ok. */
export function problemsIn({ findings }: DoctorReport): readonly string[] {
  return findings.filter(({ ok }) => !ok).map(({ code, severity }) => `${code} ${severity}`)
}

export async function problemsOf(wrong: Case): Promise<readonly string[]> {
  return problemsIn(await examineFakes(await makeEnvironment(), wrong))
}

export const verifier = (replies?: Readonly<Record<string, Reply>>) => ({
  answering: asVerifier(replies),
})
export const always = (...reply: Reply): { readonly answering: Answering } => ({
  answering: () => reply,
})
