import { X509Certificate } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { issue } from '../../dev/testing/certificates/issue-certificate.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { file, ORDER, scene } from '../testing/add-scene.ts'

test('without a store no agent is added, unless the settings trust every TPM', async () => {
  const { agent, strictly, status } = await scene()
  const said = await strictly('add')
  expect(said).toMatchObject({
    code: 1,
    err: expect.stringMatching(/endorsement_not_proven\].*tpm_cert_store/s),
  })
  expect(agent.asked).toEqual(ORDER.slice(0, 2))
  expect(await status()).toEqual({})
})

test('an agent whose TPM is of a known maker is added', async () => {
  const maker = await issue({ name: 'maker', to: 3650 })
  const spki = new X509Certificate(fromBase64(KEYS.ekcert)).publicKey.export({
    type: 'spki',
    format: 'der',
  })
  const made = await issue({ name: 'TPM', by: maker, ca: false, to: 3650, spki })
  const { strictly } = await scene({}, { ekcert: toBase64(made.der) })
  const store = file(maker.certificate.toString())
  expect(await strictly('add', '--set', `tpm_cert_store=${store}`)).toMatchObject({ code: 0 })
})

test.each([
  ['exit 0', 0, ''],
  ['test "$AGENT_UUID" = d432fbb3-d2f1-4a97-9ef7-75bd81c00000 && test -n "$EK_CERT$EK_TPM"', 0, ''],
  ['exit 3', 1, 'ended with 3'],
])('a script with %s decides too', async (says, code, sentence) => {
  const { say } = await scene()
  const script = file(`#!/bin/sh\n${says}\n`)
  chmodSync(script, 0o700)
  const said = await say('add', '--set', `ek_check_script=${script}`)
  expect(said).toMatchObject({ code, err: expect.stringContaining(sentence) })
})
