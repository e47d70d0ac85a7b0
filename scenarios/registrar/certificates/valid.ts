import { isRefusal, isSuccess, scenario } from '../../../conformance/scenario.ts'

const REGISTERED = ['a success: a 2xx status', isSuccess] as const

/** Valid certificates of a trusted manufacturer, as manufacturers issue them. */
const VALID = [
  ['by-subordinate', 'of a subordinate CA with a path length of 0'],
  ['below-subordinate', 'of a CA below a subordinate CA with a path length of 1'],
  ['without-end', 'that ends in 9999'],
  ['since-1950', 'that is valid from 1950 to 2049'],
  ['by-rsa', 'of a CA with an RSA key'],
  ['several-uses', 'for two uses, the second of them for an EK'],
  ['unknown-extension', 'with an unknown extension that is not critical'],
  ['serial-number-of-zero', 'whose serial number begins with a byte of zeros'],
  ['other-name', 'with a further alternative name of another kind'],
] as const

/** Valid certificates that not every implementation supports. */
const RARE = [
  ['no-use', 'without an extended key usage'],
  ['no-key-usage', 'without a key usage'],
  ['no-own-constraints', 'without basic constraints'],
  ['names-together', 'with all names of the TPM in one relative name'],
  ['name-permitted', 'of an issuer that permits two manufacturers, the second of them its own'],
  ['host-permitted', 'for a host, a mailbox and an address that its issuer permits'],
  [
    'host-not-excluded',
    'for a host, a URI, a mailbox and an address close to those that its issuer excludes',
  ],
  ['issuer-renewed', 'of an issuer with a second, expired certificate'],
] as const

const OTHER_KEYS = [
  ['p-256', 'on P-256 for key agreement'],
  ['p-256-zero', 'on P-256 whose x begins with a zero byte'],
  ['p-384', 'on P-384 for key agreement, whose nameAlg is SHA-384'],
  ['rsa-sha384', 'of RSA whose nameAlg is SHA-384'],
] as const

const RARELY_SUPPORTED = { registered: isSuccess, 'not supported': isRefusal }

export default scenario({
  id: 'registrar.certificates.valid',
  title:
    'The registrar registers unusual but valid EK certificates of a trusted manufacturer, and seals for their keys',
  requirements: ['REG-EKCERT-VALID', 'REG-EKCERT-VALID-RARE', 'REG-BLOB-FOR-EK-AND-AIK'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  needs: ['ek_store'],
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const register = async (members: Readonly<Record<string, unknown>>) => {
      const reply = await agent.register(members)
      await registrar.delete(agent.id, verifier.admin)
      return reply
    }
    for (const [kind, says] of VALID) {
      check('REG-EKCERT-VALID', `registration with a certificate ${says}`)
        .of(await register({ ekcert: await agent.ekCertificate(kind) }))
        .matches(...REGISTERED)
    }
    for (const [kind, says] of RARE) {
      check('REG-EKCERT-VALID-RARE', `registration with a certificate ${says}`)
        .of(await register({ ekcert: await agent.ekCertificate(kind) }))
        .meets(RARELY_SUPPORTED)
    }
    for (const [kind, says] of OTHER_KEYS) {
      const key = await agent.otherEndorsementKey(kind)
      const registration = await agent.register(key.members)
      check('REG-EKCERT-VALID-RARE', `registration with an EK ${says}`)
        .of(registration)
        .meets(RARELY_SUPPORTED)
      if (isSuccess(registration))
        check('REG-BLOB-FOR-EK-AND-AIK', `HTTP status of the activation with an EK ${says}`)
          .of((await agent.activate(await agent.openBlobWith(key, registration))).status)
          .is(200)
      await registrar.delete(agent.id, verifier.admin)
    }
  },
})
