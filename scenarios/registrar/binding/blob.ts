import { scenario } from '../../../conformance/scenario.ts'

const common = {
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  variantOf: 'registrar.registration.accepted',
} as const

export default [
  scenario({
    ...common,
    id: 'registrar.binding.blob.other-tpm',
    title: 'Another TPM does not open the blob of a registration',
    requirements: ['REG-BLOB-ENCRYPTED-TO-EK'],
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const other = await machines.boot()
      const registration = await agent.register()
      check('REG-BLOB-ENCRYPTED-TO-EK', 'what another TPM says to the blob')
        .of(await agent.tryBlob(registration, { machine: other })) // the defect
        .is('refused')
    },
  }),
  scenario({
    ...common,
    id: 'registrar.binding.blob.other-aik',
    title: 'The TPM does not open the blob with a key that was not registered',
    requirements: ['REG-BLOB-OTHER-AIK'],
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const { handle } = await agent.machine.createRogueAk()
      const registration = await agent.register()
      check('REG-BLOB-OTHER-AIK', 'what the TPM says to the blob beside another key')
        .of(await agent.tryBlob(registration, { key: handle })) // the defect
        .is('refused')
      check('REG-BLOB-OTHER-AIK', 'and beside the registered one')
        .of(await agent.tryBlob(registration))
        .is('opened')
    },
  }),
]
