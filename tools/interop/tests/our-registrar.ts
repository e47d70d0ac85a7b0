import { randomUUID } from 'node:crypto'
import { expectIn } from '../disagreement.ts'
import { type InteropEnvironment, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, towards, withPullAgent } from '../programs.ts'
import { expectGone } from '../states.ts'

async function runSteps(environment: InteropEnvironment, id: string): Promise<string> {
  const ours = towards(environment.ours)
  const status = await keylimeTenant(environment, ['-c', 'regstatus', '-u', id], ours)
  expectIn("regstatus of Keylime's tenant", '"ek_tpm"', status.output)
  const list = await keylimeTenant(environment, ['-c', 'reglist'], ours)
  expectIn("reglist of Keylime's tenant", id, list.output)
  await keylimeTenant(environment, ['-c', 'regdelete', '-u', id], ours)
  const { directory, registrar } = environment.ours
  await expectGone({ directory, port: registrar, id })
  return 'regstatus, reglist, regdelete'
}

/** Keylime's tenant uses our registrar. */
export const ourRegistrar: InteropTest = {
  id: 'our-registrar',
  title: "Keylime's tenant lists, reads and deletes an agent at our registrar",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { directory, registrar } = environment.ours
      const place = { id: randomUUID(), on, directory, registrar }
      return withPullAgent(environment, place, () => runSteps(environment, place.id))
    }),
}
