import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { temporaryDirectory } from '../target/testing/test-support.ts'
import { defaultTarget, presentTargetFile } from './default-target.ts'

const REFERENCE = join(packageRoot(), 'reference', 'assay.target.yaml')

test('the file that init writes is the target in its directory, and the reference elsewhere', () => {
  const place = temporaryDirectory()
  expect(defaultTarget(undefined, place)).toMatch(/reference\/assay\.target\.yaml$/)
  writeFileSync(join(place, 'assay.target.yaml'), '')
  expect(defaultTarget(undefined, place)).toBe('assay.target.yaml')
  expect(defaultTarget('playground', place)).toMatch(/reference\/playground\.target\.yaml$/)
})

test('the first line tells the reference from other deployments, also by a link or another name', () => {
  const place = temporaryDirectory()
  mkdirSync(join(place, 'reference'))
  const other = join(place, 'reference', 'assay.target.yaml')
  writeFileSync(other, '')
  expect(presentTargetFile({ name: 'ours', file: other })).toBe(`ours, of the file ${other}`)
  expect(presentTargetFile({ name: 'Assay reference', file: REFERENCE })).toMatch(
    /^Assay reference, the reference that comes with Assay/,
  )
})
