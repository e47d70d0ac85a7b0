import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { ROLES } from '../../report/result.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import { loadRequirements } from '../load-requirements.ts'
import { API_VERSIONS } from '../requirement.ts'
import { rolesOf, scopeOfProfile, strengthIn } from './profile-scope.ts'
import { certificateProfiles, loadCertificateProfile } from './profiles.ts'

const rows = loadRequirements()
const scenarios = await discoverScenarios(rows)
const profiles = certificateProfiles()
const scopes = profiles.map((profile) => ({ profile, ...scopeOfProfile(profile, rows, scenarios) }))

test('every row that a scenario checks belongs to a profile', () => {
  const inProfiles = new Set(scopes.flatMap((scope) => scope.rows.map(({ id }) => id)))
  const outside = rows.filter(({ id, excluded }) => excluded === undefined && !inProfiles.has(id))
  expect(outside.map(({ id }) => id)).toEqual([])
})

test('every scenario belongs to a profile of its role', () => {
  const known = new Set(
    scopes.flatMap(({ profile, scenarios: own }) =>
      own.filter(({ role }) => rolesOf(profile).includes(role)).map(({ id }) => id),
    ),
  )
  expect(scenarios.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([])
})

test.each(scopes)('$profile.name has rows, and no scenario of another role', (scope) => {
  const { profile } = scope
  expect(scope.rows.length).toBeGreaterThan(20)
  const roles = new Set(scope.scenarios.map(({ role }) => role))
  expect(rolesOf(profile)).toEqual(expect.arrayContaining([...roles]))
  expect(scope.scenarios.some(({ provesFunction }) => provesFunction)).toBe(true)
})

test.each(scopes)(
  '$profile.name names roles, versions, components and capabilities that exist',
  ({ profile }) => {
    const schema = readFileSync(
      join(packageRoot(), 'conformance/target/target.schema.json'),
      'utf8',
    )
    const known: readonly string[] = JSON.parse(schema).properties.capabilities.items.enum
    const components = new Set(rows.map(({ component }) => component))
    const { since, until = since } = profile.versions
    expect(ROLES).toEqual(expect.arrayContaining([...rolesOf(profile)]))
    expect(API_VERSIONS).toEqual(expect.arrayContaining([since, until]))
    expect(known).toEqual(expect.arrayContaining([...profile.capabilities]))
    expect([...components]).toEqual(expect.arrayContaining([...profile.components]))
  },
)

test.each(scopes)('each component and exception of $profile.name is needed', (scope) => {
  const { components, except = [] } = scope.profile
  const used = new Set(scope.rows.map(({ component }) => component))
  expect(components.filter((one) => !used.has(one))).toEqual([])
  const whole = scopeOfProfile({ ...scope.profile, except: [] }, rows, scenarios)
  const known = whole.rows.map(({ id }) => id)
  expect(known).toEqual(expect.arrayContaining(except.map(({ row }) => row)))
  for (const { why } of except) expect(why).toMatch(/\w+ \w+/)
})

test.each(profiles)('the page on certificates says what $name requires', (profile) => {
  const page = readFileSync(join(packageRoot(), 'docs', 'certification.md'), 'utf8')
  const line = page.split('\n').find((one) => one.startsWith(`| \`${profile.name}\` |`)) ?? ''
  const named = [...line.matchAll(/`(\w+)`/g)].map(([, word]) => word)
  const required = [...profile.roles, ...profile.capabilities]
  expect(named).toEqual(expect.arrayContaining(required))
  const { capabilities } = profile
  expect(/capabilit(?:y|ies) (.*) \|$/.exec(line)?.[1]?.split(', ') ?? []).toEqual(
    capabilities.map((word) => `\`${word}\``),
  )
})

test('an unknown profile is refused, with the nearest one', () => {
  expect(loadCertificateProfile('registrar').name).toBe('registrar')
  expect(() => loadCertificateProfile('registrars')).toThrow(
    expect.objectContaining({
      sentence: 'there is no certificate profile "registrars"',
      next: '--profile registrar',
    }),
  )
})

test('a row is silent under versions of a scenario that it does not apply to', () => {
  const row = { since: '2.3', until: '2.5', strength: 'fixed' } as const
  const early = { since: '2.1', until: '2.5' }
  expect(strengthIn('2.2', row, early)).toBe('silent')
  expect(strengthIn('2.3', row, early)).toBe('fixed')
  // The record of 2.5 of an agent that attests under 3.0.
  expect(strengthIn('3.0', row, { since: '3.0' })).toBe('fixed')
})
