import { expect, test } from 'vitest'
import { evaluateAdversarial } from './testing/adversarial-case.ts'
import {
  type AdversarialSection,
  type AdversarialVariant,
  adversarialFiles,
  adversarialSection,
  inputsOf,
} from './testing/adversarial-fixtures.ts'

/** Sections of quotes, measurement lists and firmware logs; the registrar's tests cover registration. */
const sections = adversarialFiles(/^e[12346789]-/).map(adversarialSection)

const baselines = sections.flatMap(({ section, baselines: own }) =>
  Object.entries(own).map(([name, baseline]) => [section, name, baseline] as const),
)

test.each(baselines)('%s: the baseline %s passes', (_section, _name, baseline) => {
  expect(evaluateAdversarial(baseline)).toEqual({ outcome: 'pass', findings: [] })
})

const variants = sections.flatMap((section) =>
  section.variants
    .filter((variant) => inputsOf(section, variant).every(hasShape))
    .map((variant) => [variant.id, variant, section] as const),
)

test.each(variants)('%s', (_id, variant, section) => {
  const inputs = inputsOf(section, variant)
  for (const input of inputs) {
    const { outcome, findings } = evaluateAdversarial(input)
    if (variant.outcome === 'either')
      expect(evaluateAdversarial(input)).toEqual({ outcome, findings })
    else expect(outcome).toBe(variant.outcome)
    expectReason(variant, findings)
  }
  expect(new Set(inputs.map((input) => evaluateAdversarial(input).outcome)).size).toBe(1)
})

test('a base64 variant is treated alike in a quote string and in a push document', () => {
  const spellings = variants.filter(([id]) => id.startsWith('e1-3-'))
  const outcomes = new Map(
    spellings.map(([id, variant, section]) => [
      id,
      inputsOf(section, variant).map((input) => evaluateAdversarial(input).outcome),
    ]),
  )
  const pushed = [...outcomes].filter(([id]) => id.startsWith('e1-3-push-'))
  expect(pushed.length).toBeGreaterThan(5)
  for (const [id, [outcome]] of pushed) {
    expect(outcomes.get(id.replace('push-', ''))?.[0]).toBe(outcome)
  }
})

/** A refusal for another reason than the stated one says nothing about the stated one. */
function expectReason(
  { type, checks }: AdversarialVariant,
  findings: ReturnType<typeof evaluateAdversarial>['findings'],
): void {
  if (type !== undefined) expect(findings.map((one) => one.type)).toContain(type)
  if (checks !== undefined) expect(findings.map((one) => one.context['check'])).toEqual(checks)
}

/** Whether the members have the types of the request schema; other inputs are refused earlier. */
function hasShape(input: AdversarialSection['baselines'][string]): boolean {
  const members = [input.attestation_key, input.nonce, input.hash_alg]
  if (input.push === undefined) members.push(input.quote)
  return members.every((member) => typeof member === 'string')
}
