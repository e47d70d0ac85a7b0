import { join } from 'node:path'
import { FAULTS } from '../../../simulator/faults/known-faults.ts'
import { packageRoot } from '../../input/package-root.ts'
import { readYaml } from '../../input/read-yaml.ts'
import { adversarialFileNames, loadAdversarialFile } from './evidence-file.ts'

/** Possible outcomes of a case; see the head of `catalogue/adversarial.yaml`. */
export const CASE_OUTCOMES = ['refused', 'policy', 'accepted', 'either'] as const
export type CaseOutcome = (typeof CASE_OUTCOMES)[number]

/** One case of the list of adversarial inputs. */
export interface AdversarialCase {
  /** 1 to 120. */
  readonly case: number
  /** Short description of the input. */
  readonly title: string
  /** The layer that must detect it. */
  readonly layer: string
  readonly outcome: readonly CaseOutcome[]
  /** Ids of the case's scenarios that need no fixtures. */
  readonly scenarios?: readonly string[]
  /** The part of the suite that tests a case of another layer. */
  readonly elsewhere?: string
  readonly note?: string
  /** Of a case of evidence with the outcome `either`: what is assumed by those who accept or reject it. */
  readonly readings?: { readonly valid: string; readonly invalid: string }
}

/** Variants of one case in one file. */
export interface CaseVariants {
  readonly file: string
  /** Ids and outcomes, as in the file. */
  readonly variants: readonly { readonly id: string; readonly outcome: string }[]
}

/** A case with its fixtures and faults. */
export interface StandingCase extends AdversarialCase {
  readonly fixtures: readonly CaseVariants[]
  /** Names of faults of scripted machines. */
  readonly faults: readonly string[]
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'adversarial.yaml')

export function loadAdversarialCases(): readonly AdversarialCase[] {
  return readYaml(FILE) as readonly AdversarialCase[]
}

/** Every case with its fixtures and faults. */
export function standingCases(
  cases: readonly AdversarialCase[] = loadAdversarialCases(),
): readonly StandingCase[] {
  const files = adversarialFileNames().map((file) => ({ file, ...loadAdversarialFile(file) }))
  return cases.map((one) => ({
    ...one,
    fixtures: files
      .map(({ file, variants }) => ({
        file,
        variants: variants.filter((variant) => variant.case === one.case),
      }))
      .filter(({ variants }) => variants.length > 0),
    faults: FAULTS.filter((fault) => fault.cases.includes(one.case)).map(({ name }) => name),
  }))
}

const WORDS: Readonly<Record<string, CaseOutcome>> = {
  malformed: 'refused',
  broken_evidence_chain: 'refused',
  policy_violation: 'policy',
  pass: 'accepted',
}

/** The outcome of a variant in the words of the table of cases. */
export function caseOutcomeOf(outcome: string): string {
  return WORDS[outcome] ?? outcome
}
