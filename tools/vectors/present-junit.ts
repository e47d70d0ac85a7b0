import {
  type Case,
  element,
  presentJunit,
  type Suite,
  xmlText,
} from '../../conformance/report/junit-xml.ts'
import { presentAnswer, presentVector, vectorsById } from './present-vectors.ts'
import type { VectorResult, VectorResults } from './results.ts'
import type { VectorGroup } from './vector.ts'

const KINDS = { agrees: 'passed', differs: 'failure', 'not judged': 'skipped' } as const

function verdictOf(result: VectorResult, about: readonly string[]): readonly string[] {
  const { expected, answered, outcome, answer } = result
  if (outcome === 'agrees') return []
  if (outcome === 'not judged') return [element('skipped', { message: presentAnswer(answer) }, [])]
  const message = `expected ${expected}, answered ${answered}`
  return [element('failure', { message, type: answered }, [xmlText([...about, answer].join('\n'))])]
}

/** The text of a JUnit file: one testsuite for each group, one testcase for each vector. */
export function presentVectorsJunit(
  { adapter, source, corpus_sha256, results }: VectorResults,
  groups: readonly VectorGroup[],
  startedAt: string,
): string {
  const vectors = vectorsById(groups)
  const caseOf = (result: VectorResult): Case => {
    const vector = vectors.get(result.id)
    const about = vector === undefined ? [] : presentVector(vector, groups)
    const attributes = {
      classname: `assay.vectors.${result.group}`,
      ...{ name: `${result.id}: ${vector?.comment ?? ''}`, time: '0.000' },
    }
    const xml = element('testcase', attributes, verdictOf(result, about))
    return { kind: KINDS[result.outcome], ms: 0, xml }
  }
  const properties = { adapter, 'assay.version': source.version, 'corpus.sha256': corpus_sha256 }
  const suites = groups.map(({ group }): Suite => {
    const cases = results.filter((result) => result.group === group).map(caseOf)
    return { name: group, cases, properties, timestamp: startedAt }
  })
  return presentJunit(`Assay vectors: ${adapter}`, suites)
}
