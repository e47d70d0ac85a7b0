import { isRefusal, isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { nearCertifications } from '../support/near-certifications.ts'

const CERTIFICATES = (['iak', 'idevid'] as const).flatMap((of) =>
  (['of another maker', 'expired', 'not yet valid'] as const).map((is) => ({ of, is })),
)

const common = {
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.device.accepted',
} as const

export default [
  scenario({
    ...common,
    id: 'registrar.device.near.certifications',
    title: 'The registrar rejects a certification of an AIK that differs in one place',
    requirements: ['REG-DEVICE-ACCEPTED', 'REG-IAK-CERTIFIES-AIK'],
    needs: ['device_identity'],
    async run({ registrar, verifier, machines, check }) {
      const agent = await machines.lightAgent({ until: 'booted' })
      for (const label of ['earlier', 'this']) {
        check('REG-DEVICE-ACCEPTED', 'registration with right members')
          .of(await agent.register(await agent.softDeviceMembers(label)))
          .matches('a success: a 2xx status', isSuccess)
      }
      const early = await agent.softDeviceMembers('earlier', { signedBy: 'this' })
      check('REG-IAK-CERTIFIES-AIK', 'registration with the IAK of a device that comes later')
        .of(await agent.register(early))
        .matches(...REFUSED)
      for (const { says, defect } of nearCertifications) {
        const reply = await agent.register(await agent.softDeviceMembers('this', defect)) // the defect
        check('REG-IAK-CERTIFIES-AIK', `registration with ${says}`)
          .of(reply)
          .matches(...REFUSED)
        if (!isRefusal(reply)) await registrar.delete(agent.id, verifier.admin)
      }
      const signedByAnother = await agent.softDeviceMembers('this', { signedBy: 'earlier' })
      const alone = { ...signedByAnother, idevid_tpm: null, idevid_cert: null }
      check('REG-IAK-CERTIFIES-AIK', 'registration without IDevID, with the IAK of another device')
        .of(await agent.register(alone))
        .matches(...REFUSED)
    },
  }),
  scenario({
    ...common,
    id: 'registrar.device.near.certificates',
    title: 'The registrar rejects an IAK or IDevID whose certificate it cannot trust',
    requirements: ['REG-IAK-MAKER', 'REG-IAK-CERTIFIED'],
    needs: ['device_identity', 'ek_store'],
    async run({ machines, check }) {
      const agent = await machines.lightAgent({ until: 'booted' })
      for (const certificate of CERTIFICATES) {
        const members = await agent.softDeviceMembers('this', { certificate }) // the defect
        check('REG-IAK-MAKER', `certificate of the ${certificate.of} ${certificate.is}`)
          .of(await agent.register(members))
          .matches(...REFUSED)
      }
      for (const of of ['iak', 'idevid'] as const) {
        const certificate = { of, is: 'of another key' } as const
        check('REG-IAK-CERTIFIED', `certificate of the ${of} for another key`)
          .of(await agent.register(await agent.softDeviceMembers('this', { certificate })))
          .matches(...REFUSED)
      }
    },
  }),
]
