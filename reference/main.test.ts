import { expect, test } from 'vitest'
import { temporaryDirectory } from './dev/testing/temporary-directory.ts'
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
  await expect(main(['registrar', '--wait-for-ca', '0', ...settings])).rejects.toMatchObject({
    sentence: 'the TLS file /nowhere/cv_ca/cacert.crt is missing',
  })
})

test('a registrar that starts before the verifier waits for its CA', async () => {
  const settings = [`state_dir=${temporaryDirectory()}`, 'port=0'].flatMap((one) => ['--set', one])
  const listen = (name: string) =>
    new Promise<() => void>((resolve, reject) => {
      let stop = (): void => undefined
      const stopRequested = new Promise<void>((done) => {
        stop = done
      })
      main(
        [name, ...settings],
        undefined,
        () => resolve(stop),
        () => stopRequested,
      ).catch(reject)
    })
  const registrar = listen('registrar')
  const stops = await Promise.all([registrar, listen('verifier')])
  for (const stop of stops) stop()
})

test.each([
  ['tenant', 'web', '--set', 'web_port=x'],
  ['tenant', '-c', 'web', '--set', 'web_port=x'],
  ['tenant', '--set', 'web_port=x', 'web'],
])('%s %s %s %s starts the web application', async (...words) => {
  await expect(main(words)).rejects.toMatchObject({ sentence: expect.stringMatching(/web_port/) })
})

test('the value of an option does not start the web application', async () => {
  await expect(main(['tenant', 'nothing', '--uuid', 'web'])).rejects.toMatchObject({
    sentence: 'nothing is no command of the tenant',
  })
})
