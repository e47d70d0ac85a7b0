import { expect, test } from 'vitest'
import { main } from './main.ts'

test.each(['agents', 'constructor', '__proto__', ''])(
  'there is no component called %o',
  async (name) => {
    await expect(main([name])).rejects.toMatchObject({
      sentence: `there is no component called ${name}`,
      next: 'use one of registrar, verifier, agent, tenant web, push-agent',
    })
  },
)

test('an unknown option is a fault with a next step', async () => {
  await expect(main(['registrar', '--prot', '1'])).rejects.toMatchObject({
    sentence: "unknown option '--prot'",
    next: 'assay registrar --help lists the options',
  })
})

test('without the TLS directory of a verifier the registrar says what to do', async () => {
  const settings = ['--set', 'state_dir=/nowhere', '--set', 'database=:memory:']
  await expect(main(['registrar', ...settings])).rejects.toMatchObject({
    sentence: 'the TLS file /nowhere/cv_ca/cacert.crt is missing',
  })
})
