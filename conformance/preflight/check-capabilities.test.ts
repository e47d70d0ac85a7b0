import { expect, test } from 'vitest'
import { checkCapabilities } from './check-capabilities.ts'
import type { Examination } from './examination.ts'

async function compared(
  capabilities: readonly string[],
  answers: Readonly<Record<string, boolean>>,
) {
  const probeCapabilities = async () => new Map(Object.entries(answers))
  const target = { file: 'our.yaml', capabilities }
  const [step] = checkCapabilities.steps({ target, probeCapabilities } as unknown as Examination)
  return await step?.run()
}

test('a capability that is not claimed is a warning that says what to add', async () => {
  const result = await compared(['ima_log'], { ima_log: true, pull_mode: true })
  expect(result?.detail).toMatch(
    /^it has, and the target file does not claim: pull_mode; as claimed: ima_log; did not show: uefi_log, ek_store; not probed: measured_boot/,
  )
  expect(result?.warning).toEqual({
    code: 'D-CAPABILITY',
    next: 'in our.yaml, add to capabilities: pull_mode',
  })
})

test('a capability that is claimed and absent is a warning', async () => {
  const result = await compared(['uefi_log'], { uefi_log: false })
  expect(result?.detail).toContain('the target file claims, and it lacks: uefi_log')
  expect(result?.warning?.next).toBe('in our.yaml, remove from capabilities: uefi_log')
})

test('what did not show is no contradiction', async () => {
  expect((await compared(['pull_mode'], {}))?.warning).toBeUndefined()
})

test('without a probe the check is skipped', () => {
  expect(checkCapabilities.steps({} as Examination)).toEqual([])
})
