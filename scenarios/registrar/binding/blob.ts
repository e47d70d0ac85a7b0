import { scenario } from '../../../conformance/scenario.ts'

const common = {
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
} as const

export default [
  scenario({
    ...common,
    id: 'registrar.binding.blob.other-tpm',
    title: 'The registrar returns a blob that another TPM cannot open',
    requirements: ['REG-BLOB-ENCRYPTED-TO-EK'],
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const other = await machines.boot()
      const registration = await agent.register()
      check('REG-BLOB-ENCRYPTED-TO-EK', 'result of opening the blob in another TPM')
        .of(await agent.tryBlob(registration, { machine: other })) // the defect
        .is('refused')
    },
  }),
  scenario({
    ...common,
    id: 'registrar.binding.blob.other-aik',
    title: 'The registrar returns a blob that the TPM cannot open for an unregistered key',
    requirements: ['REG-BLOB-OTHER-AIK'],
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const { handle } = await agent.machine.createRogueAk()
      const registration = await agent.register()
      check('REG-BLOB-OTHER-AIK', 'result of opening the blob for another key')
        .of(await agent.tryBlob(registration, { key: handle })) // the defect
        .is('refused')
      check('REG-BLOB-OTHER-AIK', 'result of opening the blob for the registered key')
        .of(await agent.tryBlob(registration))
        .is('opened')
    },
  }),
]
