import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'
import { startProgram } from '../command.ts'
import { loadAction } from './run-action.ts'

const WORKFLOWS = join(packageRoot(), '.github', 'workflows')
const FILES = readdirSync(WORKFLOWS)
const hasActionlint = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'actionlint')))

interface Step {
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
}

/** The uses of our action in a workflow. */
function usesOf(file: string): readonly Step[] {
  const { jobs } = parse(readFileSync(join(WORKFLOWS, file), 'utf8'))
  const steps: readonly Step[] = Object.values<{ steps: readonly Step[] }>(jobs).flatMap(
    (job) => job.steps,
  )
  return steps.filter(({ uses }) => uses === './')
}

test('our own workflow uses the action, with inputs that it has', () => {
  const used = FILES.flatMap(usesOf)
  expect(used).not.toEqual([])
  const known = Object.keys(loadAction().inputs)
  const given = used.flatMap((step) => Object.keys(step.with ?? {}))
  expect(given.filter((name) => !known.includes(name))).toEqual([])
})

test.runIf(hasActionlint)('actionlint has no complaint about the workflows', async () => {
  const words = ['actionlint', ...FILES.map((name) => join(WORKFLOWS, name))]
  const { code, stdout } = await startProgram(words, { root: packageRoot() }).ended
  expect([stdout, code]).toEqual(['', 0])
})
