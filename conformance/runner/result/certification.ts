import type { Certification, RunResult, Scope } from '../../report/result.ts'
import type { AllowedDeviations } from '../../target/deviations.ts'

export interface CertificationCase {
  readonly scope: Pick<Scope, 'narrowed' | 'missing' | 'text'>
  /** Number of scenarios that an option left out. */
  readonly skipped: number
  /** What the target file and its waivers say against it, see {@link allowancesOf}. */
  readonly allowances: readonly string[]
  readonly complaints: readonly string[]
  readonly verdict: string
}

/**
 * What a target file allows and a certificate does not, one sentence for each.
 *
 * @param exceeded time limits of the target file that exceed the certification maximum
 */
export function allowancesOf(
  { waivers, profile }: AllowedDeviations,
  exceeded: readonly string[],
): readonly string[] {
  return [
    ...waivers.map(({ requirement }) => `${requirement} is waived`),
    ...(profile === undefined ? [] : [`deviation profile ${profile.name} is in use`]),
    ...exceeded.map((name) => `time limit ${name} is above what a certificate allows`),
  ]
}

/** Decides whether a run can be certified: complete, without waivers, within the limits, and conforming. */
export function decideCertification(subject: CertificationCase): Certification {
  const { scope, skipped, allowances, complaints, verdict } = subject
  const because = [
    ...scope.narrowed.map((name) => `${name} left scenarios out`),
    ...scope.missing,
    ...(skipped === 0 ? [] : [`${skipped} scenarios were skipped`]),
    ...allowances,
    ...complaints,
    ...(verdict === 'conforms' ? [] : [`the verdict is: ${verdict}`]),
  ]
  return { possible: because.length === 0, because, covers: scope.text }
}

/** What the target file allowed: the reasons against a certificate that do not follow from the results. */
export function allowancesIn({
  certification,
  scope,
  scenarios,
  complaints,
  verdict,
}: RunResult): readonly string[] {
  const { because: derived } = decideCertification({
    scope: scope ?? { text: '', narrowed: [], missing: [] },
    skipped: scenarios.filter(({ outcome }) => outcome === 'skipped').length,
    ...{ allowances: [], complaints, verdict },
  })
  return certification.because.filter((reason) => !derived.includes(reason))
}
