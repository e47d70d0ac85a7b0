import { REFUSED, scenario, toHex } from '../../../conformance/scenario.ts'
import { bootPolicyBody, storeBootPolicy } from '../support/engine.ts'
import { nearNames } from '../support/near-names.ts'

export default scenario({
  id: 'verifier.boot-policy.near-names',
  title: 'The verifier keeps measured boot policies apart whose names are almost equal',
  requirements: ['VER-BOOT-BY-NAME', 'VER-BOOT-READ-BACK', 'VER-BOOT-DELETED-GONE'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  variantOf: 'verifier.boot-policy.stored',
  async run(context) {
    const { verifier, random, check, cleanUp } = context
    const callOf = (name: string) => ({ as: verifier.admin, params: { name } })
    const create = async (name: string) => {
      cleanUp(() => verifier.call('delete-boot-policy', callOf(name)))
      const marker = toHex(random.bytes(32))
      const body = bootPolicyBody(marker)
      await verifier.call('create-boot-policy', { ...callOf(name), body })
      return { name, marker }
    }
    const read = (name: string) => verifier.call('read-boot-policy', callOf(name))
    const checkContent = async (
      requirement: string,
      { name, marker }: Awaited<ReturnType<typeof create>>,
    ) =>
      check(requirement, `policy ${name}`)
        .of((await read(name)).text)
        .matches(`one that names ${marker}`, (text) => text.includes(marker))
    // Not applicable where boot policies are read-only.
    await storeBootPolicy(context)
    const stored = []
    for (const name of nearNames(`Assay-${random.uuid()}a`)) stored.push(await create(name))
    for (const one of stored) await checkContent('VER-BOOT-READ-BACK', one)
    const [first, ...others] = stored
    if (first === undefined) return
    await verifier.call('delete-boot-policy', callOf(first.name))
    check('VER-BOOT-DELETED-GONE', `policy ${first.name} after its deletion`)
      .of(await read(first.name))
      .matches(...REFUSED)
    for (const one of others) await checkContent('VER-BOOT-BY-NAME', one)
    await checkContent('VER-BOOT-READ-BACK', await create(first.name))
  },
})
