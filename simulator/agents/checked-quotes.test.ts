import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, describe as group, test } from 'vitest'
import type { PullMachine } from '../machine/pull-machine.ts'
import { openLab } from '../testing/lab.ts'
import {
  type Answer,
  ask,
  does,
  machineWithoutTpm,
  NONCE,
  POLL,
  partsOf,
  started,
} from '../testing/polled-agent.ts'
import { HAS_TOOLS, tool } from '../testing/tools.ts'
import { text, toHex } from '../tpm/write.ts'

const lab = openLab()

group.skipIf(!HAS_TOOLS)('with tpm2-tools', () => {
  async function checkQuote(answer: Answer, machine: PullMachine): Promise<string> {
    const scratch = await lab.directory()
    const [message, signature, blob] = partsOf(answer)
    const files = { 'ak.pem': machine.ak.publicPem, msg: message, sig: signature, pcrs: blob }
    for (const [name, content] of Object.entries(files))
      await writeFile(join(scratch, name), content ?? '')
    const at = (name: string) => join(scratch, name)
    const given = ['-u', at('ak.pem'), '-m', at('msg'), '-s', at('sig'), '-f', at('pcrs')]
    return tool('tpm2_checkquote', ...given, '-q', toHex(text(NONCE)), '-g', 'sha256')
  }

  test('the quote of a machine with a TPM is accepted', async () => {
    const machine = await lab.machine()
    expect(await checkQuote(await ask(await started({ machine }), POLL), machine)).toContain(
      'sha256',
    )
  })

  test('the quote of a machine without a TPM is accepted', async () => {
    const machine = await machineWithoutTpm()
    expect(await checkQuote(await ask(await started({ machine }), POLL), machine)).toContain(
      'sha256',
    )
  })

  const BROKEN = [
    'other-nonce',
    'signature-altered',
    'attest-altered',
    'pcr-values-altered',
    'another-key',
  ] as const
  test.each(BROKEN)('%s is rejected', async (name) => {
    const machine = await machineWithoutTpm()
    const answer = await ask(await started({ machine, script: does(name) }), POLL)
    await expect(checkQuote(answer, machine)).rejects.toThrow()
  })
})
