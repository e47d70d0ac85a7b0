import fc from 'fast-check'
import { expect, test } from 'vitest'
import { element, xmlText } from './junit-xml.ts'
import type { ScenarioResult } from './result.ts'
import { junitFaults, readXml } from './testing/junit-schema.ts'
import { sampleResult } from './testing/sample-result.ts'
import { visible, visibleLine } from './visible.ts'
import { junitOf } from './write-junit.ts'

const caseOf = (xml: string, id: string): string => {
  const name = `classname="assay.[a-z]+.v[23]-[0-9]" name="${id}:`
  return new RegExp(`<testcase ${name}.*`).exec(xml)?.[0] ?? 'absent'
}

const xml = junitOf(sampleResult())

test('there is one suite per role and version, and one for the setup', () => {
  const names = [...xml.matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name)
  expect(names).toEqual([
    'setup',
    'registrar 2.4',
    'registrar 2.5',
    'registrar 3.0',
    'verifier 3.0',
    'run',
  ])
})

test('a pass has neither failure nor skipped', () => {
  expect(caseOf(xml, 'push.evidence.accepted')).toMatch(/time="0\.412"\/>$/)
})

test('a failure has the expected and received value, the requirement and the repeat command', () => {
  const failed = caseOf(xml, 'push.evidence.nonce-replayed')
  expect(failed).toContain('<failure message="failure_reason: expected broken_evidence_chain')
  const at = xml.indexOf(failed)
  expect(xml.slice(at, at + 900)).toMatch(
    /VPUSH-REASON-BROKEN {2}failure_reason\n {2}expected {2}broken_evidence_chain\n {2}received {2}policy_violation[\s\S]*\nrepeat {2}npm start/,
  )
})

test.each([
  ['push.session.silent', '<failure ', 'type="hang"'],
  ['push.evidence.old-index', '<failure ', 'type="blocked"'],
  ['push.evidence.sha384', '<error ', 'type="harness-fault"'],
  ['push.timeout.lockout', '<skipped ', 'message="skipped: its passing twin'],
  ['push.evidence.uefi', '<skipped ', 'message="not applicable: according to the target file'],
  ['registrar.agents.unknown', '<skipped ', 'message="waived: waived until 2027-01-31'],
  ['push.attestation.unknown-index', '<skipped ', 'message="observed: the document is silent'],
])('%s is written as %s', (id, element, detail) => {
  expect(caseOf(xml, id)).toContain(element)
  expect(caseOf(xml, id)).toContain(detail)
})

test('a warning is a pass with the unmet requirement', () => {
  const warned = caseOf(xml, 'registrar.agents.port-type')
  expect(warned).toContain('<system-out>warning: REG-PORT-TYPE: type of port was expected')
  expect(warned).not.toMatch(/<failure|<skipped|<error/)
})

test('a failed check that does not count has its reason in the text of the failure', () => {
  expect(xml).toContain('  does not count  waived until 2027-01-31: mended')
})

test('complaints about the run are one failing testcase, and without complaints there is none', () => {
  const complaints = ['the first complaint', 'the second complaint']
  expect(junitOf({ ...sampleResult(), complaints })).toContain(
    '<testcase classname="assay.run" name="complaint" time="0.000"><failure message="the first complaint" type="complaint">the first complaint\nthe second complaint</failure></testcase>',
  )
  expect(junitOf({ ...sampleResult(), complaints: [] })).not.toContain('complaint')
})

test('the counts of the suites add up', () => {
  expect(xml).toMatch(/<testsuites name="[^"]*" tests="19" failures="6" errors="1" time="[\d.]+">/)
  const skipped = [...xml.matchAll(/<testsuite [^>]* skipped="(\d+)"/g)].map(([, count]) =>
    Number(count),
  )
  expect(skipped.reduce((sum, count) => sum + count, 0)).toBe(4)
})

test('seed, target and version of Assay are properties of each suite', () => {
  expect(xml.match(/<property name="seed" value="7f3a91c2"\/>/g)).toHaveLength(6)
  expect(xml).toContain('<property name="target" value="Example vendor (made up)"/>')
  expect(xml).toContain('<property name="assay.version" value="0.1.0"/>')
})

test('the file fits the schema of Jenkins, also if the subject sent markup', () => {
  expect(junitFaults(xml)).toEqual([])
  expect(xml).toContain('&lt;')
  expect(xml).not.toContain(']]>')
})

test.each([
  ['a count at the root', '<testsuites ', '<testsuites skipped="4" ', "attribute 'skipped'"],
  ['an unknown element', '<properties>', '<setting/><properties>', "'setting'"],
  ['a testcase without a name', '<testcase classname="assay.run" name=', '<testcase id=', "'name'"],
])('the schema refuses %s', (_, from, to, fault) => {
  expect(junitFaults(xml.replace(from, to)).join()).toContain(fault)
})

test('data of a subject is character data', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { root } = readXml(element('a', { b: text }, [xmlText(text)]))
      expect(root.attr('b')?.value).toBe(visibleLine(text))
      expect(root.content).toBe(visible(text))
      expect(root.find('*')).toEqual([])
    }),
  )
})

test('controls that XML forbids are spelled out', () => {
  expect(xmlText('\u0000\u001b[1m\ufffe\ud800')).toBe('\\x00\\x1b[1m\\ufffe\\ud800')
})

test('a failed setup step is an error', () => {
  const setup = [{ what: 'CA certificate', ok: false, detail: 'it has expired', ms: 1 }]
  const failed = junitOf({ ...sampleResult([]), setup, verdict: 'no verdict', exit_code: 2 })
  expect(failed).toContain('name="CA certificate" time="0.001"><error message="it has expired"')
})

test('a run without scenarios and without a verdict has an error', () => {
  const nothing: readonly ScenarioResult[] = []
  const empty = { ...sampleResult(nothing), setup: [] }
  expect(junitOf({ ...empty, verdict: 'no verdict', exit_code: 2 })).toContain('errors="1"')
  expect(junitOf({ ...empty, verdict: 'conforms', exit_code: 0 })).toContain('errors="0"')
  expect(junitOf({ ...empty, verdict: 'part passed', exit_code: 0 })).toContain('errors="0"')
})

test('the scope is a property, and the checks that a verdict lacks are in its error', () => {
  const { scope, ...empty } = { ...sampleResult([]), setup: [], exit_code: 2 } as const
  const lacking = { text: '', parts: [], narrowed: [], ...scope, missing: ['no check of quotes'] }
  const xml = junitOf({ ...empty, scope: lacking, verdict: 'no verdict' })
  expect(xml).toContain('<property name="scope" value="registrar 2.4–3.0, verifier pull')
  expect(xml).toContain('<error message="verdict: no verdict; no check of quotes"')
})
