import type { Certification, Scope } from '../../report/result.ts'
import type { AllowedDeviations } from '../../target/deviations.ts'

export interface CertificationCase {
  readonly scope: Pick<Scope, 'narrowed' | 'missing' | 'text'>
  /** Number of scenarios that an option left out. */
  readonly skipped: number
  readonly deviations: AllowedDeviations
  readonly complaints: readonly string[]
  /** Time limits of the target file that exceed the certification maximum. */
  readonly exceeded: readonly string[]
  readonly verdict: string
}

/** Decides whether a run can be certified: complete, without waivers, within the limits, and conforming. */
export function decideCertification(subject: CertificationCase): Certification {
  const { scope, skipped, deviations, complaints, exceeded, verdict } = subject
  const because = [
    ...scope.narrowed.map((name) => `${name} left scenarios out`),
    ...scope.missing,
    ...(skipped === 0 ? [] : [`${skipped} scenarios were skipped`]),
    ...deviations.waivers.map(({ requirement }) => `${requirement} is waived`),
    ...(deviations.profile === undefined
      ? []
      : [`deviation profile ${deviations.profile.name} is in use`]),
    ...exceeded.map((name) => `time limit ${name} is above what a certificate allows`),
    ...complaints,
    ...(verdict === 'conforms' ? [] : [`the verdict is: ${verdict}`]),
  ]
  return { possible: because.length === 0, because, covers: scope.text }
}
