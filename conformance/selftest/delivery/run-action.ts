import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'
import { startProgram } from '../command.ts'

/** A step of `action.yml`. */
interface Step {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly shell?: string
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

/** Values of expressions by path, such as `inputs.only`. */
type Context = Map<string, string>

/** What became of a step. */
export interface FinishedStep {
  readonly name: string
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The inputs of another action, which is not run. */
  readonly with?: Readonly<Record<string, string>>
}

export interface ActionRun {
  readonly steps: readonly FinishedStep[]
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** The checkout of the user's repository. */
  readonly workspace: string
}

export function loadAction(): Action {
  return parse(readFileSync(join(packageRoot(), 'action.yml'), 'utf8'))
}

/** Looks a path up; compares it with the empty string if the expression does. Throws for any other expression. */
function evaluate(expression: string, context: Context): string {
  const [, path = '', isComparison] = /^([\w.-]+)( != '')?$/.exec(expression.trim()) ?? []
  const value = context.get(path) ?? (path.startsWith('steps.') ? '' : undefined)
  if (value === undefined) throw new Error(`the test cannot evaluate "${expression}"`)
  return isComparison === undefined ? value : String(value !== '')
}

function fill(text: string, context: Context): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    evaluate(expression, context),
  )
}

function fillAll(texts: Readonly<Record<string, string>> = {}, context: Context) {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, fill(text, context)]),
  )
}

/** Whether a step runs; one without a condition does unless an earlier one has failed. */
function isDue({ if: condition }: Step, hasFailed: boolean, context: Context): boolean {
  if (condition === undefined) return !hasFailed
  return condition
    .split(' && ')
    .every((part) => part === 'always()' || evaluate(part, context) === 'true')
}

/** The lines NAME=VALUE that a step wrote to `GITHUB_OUTPUT`. */
function readOutputs(file: string): readonly (readonly [string, string])[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
}

function makeRunner(inputs: Readonly<Record<string, string>>, directory: string) {
  const home = mkdtempSync(join(tmpdir(), 'assay-action-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const [workspace, output, summary, variables] = ['work', 'output', 'summary', 'env'].map((name) =>
    join(home, name),
  ) as [string, string, string, string]
  mkdirSync(workspace)
  for (const file of [output, summary, variables]) writeFileSync(file, '')
  const action = loadAction()
  const unknown = Object.keys(inputs).find((name) => !(name in action.inputs))
  if (unknown !== undefined) throw new Error(`action.yml has no input ${unknown}`)
  const context: Context = new Map([
    ...Object.entries(action.inputs).map(
      ([name, { default: value }]) => [`inputs.${name}`, inputs[name] ?? value] as const,
    ),
    ['github.action_path', directory],
    ['runner.os', 'Linux'],
    ['runner.arch', 'X64'],
  ])
  return { action, context, home, workspace, output, summary, variables }
}

/** Runs the steps of `action.yml` one by one, as a GitHub runner does; other actions are only recorded. */
export async function runAction(
  inputs: Readonly<Record<string, string>>,
  { directory = packageRoot(), path = process.env.PATH ?? '' } = {},
): Promise<ActionRun> {
  const runner = makeRunner(inputs, directory)
  const { action, context, home, workspace, output, summary, variables } = runner
  const steps: FinishedStep[] = []
  for (const step of action.runs.steps) {
    if (
      !isDue(
        step,
        steps.some(({ code }) => code !== 0),
        context,
      )
    )
      continue
    const { name, id, run } = step
    if (run === undefined) {
      const more = { with: fillAll(step.with, context) }
      steps.push({ name, code: 0, stdout: '', stderr: '', ...more })
      continue
    }
    const script = join(home, 'step.sh')
    writeFileSync(script, fill(run, context))
    writeFileSync(output, '')
    const github = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace, CI: 'true' }
    const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_ENV: variables }
    const env = { ...github, ...files, PATH: path, ...fillAll(step.env, context) }
    const words = ['/bin/bash', '--noprofile', '--norc', '-eo', 'pipefail', script]
    steps.push({ name, ...(await startProgram(words, { root: workspace, env }).ended) })
    for (const [key, value] of readOutputs(output)) context.set(`steps.${id}.outputs.${key}`, value)
  }
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value])
  return {
    ...{ steps, workspace, summary: readFileSync(summary, 'utf8') },
    outputs: fillAll(Object.fromEntries(values), context),
  }
}
