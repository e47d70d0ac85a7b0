import { constants, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { rsaCertificate } from '../../dev/testing/certificates/rsa-certificate.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { findActions } from './find-actions.ts'
import { revocations } from './revocations.ts'
import { verifyRevocation } from './verify-revocation.ts'

const NOTIFIER = await rsaCertificate('Notifier')
const MSG = JSON.stringify({ type: 'revocation', agent_id: 'a', event_id: 'ima.mismatch' })

function signed(msg: string, saltLength: number = constants.RSA_PSS_SALTLEN_MAX_SIGN): Uint8Array {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return sign('sha256', Buffer.from(msg), { key: NOTIFIER.key, padding, saltLength })
}

test('a message that the notifier signed is believed', () => {
  const verdict = verifyRevocation(NOTIFIER.certificate, { msg: MSG, signature: signed(MSG) })
  expect(verdict).toEqual({ ok: true, message: JSON.parse(MSG) })
})

test.each([
  ['of other bytes', { msg: `${MSG} `, signature: signed(MSG) }],
  ['without a signature', { msg: MSG, signature: new Uint8Array() }],
  ['that is no JSON', { msg: 'text', signature: signed('text') }],
  ['that is a list', { msg: '[]', signature: signed('[]') }],
])('a message %s is not', (_, revocation) => {
  expect(verifyRevocation(NOTIFIER.certificate, revocation).ok).toBe(false)
})

test('without a certificate no message is believed', () => {
  expect(verifyRevocation(undefined, { msg: MSG, signature: signed(MSG) }).ok).toBe(false)
})

/** A payload with an action that copies the message it is given, and revocations that run it. */
async function acted(change: { readonly isEnabled?: boolean; readonly signature?: Uint8Array }) {
  const scratch = relative(process.cwd(), temporaryDirectory())
  const payload = join(scratch, 'unzipped')
  mkdirSync(payload)
  writeFileSync(join(payload, 'action_list'), 'copy.sh, gone.sh\n')
  writeFileSync(join(payload, 'copy.sh'), '#!/bin/sh\ncp "$1" copied\n')
  writeFileSync(join(payload, 'cert'), NOTIFIER.certificate)
  const logged: string[] = []
  const log = (sentence: string) => logged.push(sentence)
  const { take } = revocations({
    settings: {
      ...{ scratch, payload, certificate: join(payload, 'cert'), isEnabled: true, ...change },
      ...{ named: [], directory: '', takesPayload: true },
    },
    verify: verifyRevocation,
    log: { info: log, warn: log },
  })
  take({ msg: MSG, signature: change.signature ?? signed(MSG) })
  return { copied: join(scratch, 'copied'), logged }
}

test('an action of the payload gets the message that was believed', async () => {
  const { copied, logged } = await acted({})
  await expect.poll(() => logged.at(-1)).toContain('copy.sh ended with 0')
  expect(JSON.parse(readFileSync(copied, 'utf8'))).toEqual(JSON.parse(MSG))
  expect(logged).toContain('no such revocation action: "gone.sh"')
})

test('no action runs upon a message that is not believed', async () => {
  const { copied, logged } = await acted({ signature: signed('{}') })
  await expect.poll(() => logged.at(-1)).toContain('its signature does not hold')
  expect(existsSync(copied)).toBe(false)
})

test('without the setting nothing is done', async () => {
  const { copied, logged } = await acted({ isEnabled: false })
  expect(logged).toEqual([])
  expect(existsSync(copied)).toBe(false)
})

test('an action of the machine goes before one of the payload, and a path is no name', () => {
  const [directory, payload] = [temporaryDirectory(), temporaryDirectory()]
  for (const folder of [directory, payload]) writeFileSync(join(folder, 'both.sh'), '')
  writeFileSync(join(payload, 'own.sh'), '')
  const named = ['both.sh', '../etc/x', 'own.sh']
  expect(findActions({ named, directory, payload, takesPayload: true })).toEqual({
    files: [join(directory, 'both.sh'), join(payload, 'own.sh')],
    missing: ['../etc/x'],
  })
  expect(findActions({ named, directory, payload, takesPayload: false }).files).toEqual([
    join(directory, 'both.sh'),
  ])
})
