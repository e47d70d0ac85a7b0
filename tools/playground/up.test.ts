import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Running, startAssay } from '../../conformance/selftest/command.ts'
import { findMarked } from '../../conformance/target/processes/end-processes.ts'

/** A separate temporary directory with a short path, so that leftover files are found. */
function ownTemporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'up-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function startUp(temporary: string, ...words: readonly string[]): Running {
  return startAssay(['up', ...words], { env: { TMPDIR: temporary } })
}

const filesIn = (temporary: string) =>
  readdirSync(temporary).filter((name) => name.startsWith('assay-'))

/** The run directory of the only playground there. */
async function runIn(temporary: string): Promise<string> {
  for (;;) {
    const [own] = filesIn(temporary).filter((name) => name.startsWith('assay-up-'))
    const runs = own === undefined ? [] : readdirSync(join(temporary, own, 'runs'))
    const run = runs.find((name) => !name.startsWith('.'))
    if (run !== undefined) return join(temporary, own ?? '', 'runs', run)
    await pause(20)
  }
}

const SCRIPT = [
  'wait pass m1; wait pass m2',
  'tamper m1 /usr/bin/other; extend m2',
  'wait fail m1; wait fail m2; table',
  'reboot m1; reboot m2',
  'wait fail m1 1s; wait fail m2 1s # what failed is looked at first',
  'reactivate m1; reactivate m2',
  'wait pass m1; wait pass m2',
  'wait fail m1 600s',
].join('\n')

test('machines with both kinds of agents pass, fail after tampering, and pass again; Ctrl-C leaves no files', async () => {
  const temporary = ownTemporary()
  const up = startUp(temporary, '--do', SCRIPT)
  await up.prints('> wait fail m1 600s')
  const run = await runIn(temporary)
  // Two servers, two agents, two TPMs.
  expect(findMarked(run).length).toBeGreaterThanOrEqual(6)
  up.child.kill('SIGINT')
  const { code, stdout, stderr } = await up.ended
  expect(stderr).toBe('')
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/m1: FAIL after .* ima\.validation\.ima-sig\.not_in_allowlist/)
  expect(stdout).toMatch(/│ m1 pull │ runs {2}│ up {6}│ FAIL {4}│ invalid_quote/)
  expect(stdout).toMatch(
    /│ m2 push │ runs {2}│ up {6}│ FAIL {4}│.*policy_violation.*extended PCR 7/,
  )
  expect(stdout).toMatch(/tenant -c cvstatus -u [0-9a-f-]{36} {4}# m2, push/)
  expect(findMarked(run)).toEqual([])
  expect(filesIn(temporary)).toEqual([])
})

test('a command that fails without a terminal ends the playground with exit code 1', async () => {
  const up = startUp(ownTemporary(), '--pull', '1', '--push', '0', '--do', 'frob')
  const { code, stdout } = await up.ended
  expect(stdout).toContain('unknown command "frob"')
  expect(code).toBe(1)
})

test('Ctrl-C during the start of the servers leaves no files', async () => {
  const temporary = ownTemporary()
  const up = startUp(temporary)
  await up.prints('starting registrar and verifier')
  const run = await runIn(temporary)
  await expect.poll(() => findMarked(run).length, { timeout: 90_000 }).toBeGreaterThan(0)
  up.child.kill('SIGTERM')
  expect(await up.ended).toMatchObject({ code: 0, stderr: '' })
  expect(findMarked(run)).toEqual([])
  expect(filesIn(temporary)).toEqual([])
})

test('a failed start is reported in one sentence and leaves no files', async () => {
  const temporary = ownTemporary()
  const target = join(temporary, 'broken.target.yaml')
  writeFileSync(
    target,
    `name: broken
versions: ['2.5']
capabilities: []
roles:
  verifier:
    url: https://127.0.0.1:\${port.verifier}
    start: { command: [node, -e, 'console.error("no database"); process.exit(3)'], ready: { path: /, within: 5s } }
tls: { ca: "\${run}/ca.crt", admin: { certificate: "\${run}/a.crt", key: "\${run}/a.key" } }
`,
  )
  const up = startUp(temporary, '--target', target)
  const { code, stderr } = await up.ended
  expect(code).toBe(2)
  expect(stderr).toContain('verifier exited with code 3 before it was ready: no database')
  expect(stderr).toContain('--keep DIRECTORY')
  expect(filesIn(temporary)).toEqual([])
})
