import { isSuccess, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { storeBootPolicy, toHex } from '../support/engine.ts'

/** More than a column of 64 KiB holds. */
const MANY = 1000

export default scenario({
  id: 'verifier.boot-policy.stored',
  title: 'The verifier stores a measured boot policy under its name and returns it',
  requirements: [
    'VER-BOOT-CREATE-ROUTE',
    'VER-BOOT-METHODS-24',
    'VER-BOOT-READ-STATUS',
    'VER-BOOT-READ-OBJECT',
    'VER-BOOT-READ-BACK',
    'VER-BOOT-BY-NAME',
  ],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, version, random, check, observe } = context
    const { call, marker, created } = await storeBootPolicy(context)
    check(version === '2.3' ? 'VER-BOOT-CREATE-ROUTE' : 'VER-BOOT-METHODS-24', 'POST')
      .of(created)
      .matches('a success', isSuccess)
    observe('mbpolicies POST', 'HTTP status', created.status)
    const seen = await verifier.call('read-boot-policy', call)
    check('VER-BOOT-READ-STATUS', 'HTTP status').of(seen.status).is(200)
    const policy = results(seen)
    check('VER-BOOT-READ-OBJECT', 'results')
      .of(policy)
      .matches('an object', (value) => typeof value === 'object' && value !== null)
    check('VER-BOOT-READ-BACK', 'the policy that is read')
      .of(seen.text)
      .matches(`a policy that names ${marker}`, (text) => text.includes(marker))
    const firmware = Array.from({ length: MANY }, () => ({
      scrtm: { sha256: `0x${toHex(random.bytes(32))}` },
      platform_firmware: [],
    }))
    const large = await storeBootPolicy(context, {
      has_secureboot: false,
      scrtm_and_bios: firmware,
    })
    const kept = await verifier.call('read-boot-policy', large.call)
    const last = firmware.at(-1)?.scrtm.sha256 ?? ''
    check('VER-BOOT-READ-BACK', `a policy of ${MANY} firmwares, unless it is refused`)
      .of(isSuccess(large.created) ? kept.text : 'refused')
      .matches('refused, or with the last of them', (text) => {
        return text === 'refused' || text.includes(last)
      })
    observe('mbpolicies GET', 'members of the policy', Object.keys(Object(policy)))
    const other = { ...call, params: { name: `assay-${random.uuid()}` } }
    check('VER-BOOT-BY-NAME', 'reading another name')
      .of(await verifier.call('read-boot-policy', other))
      .matches(...REFUSED)
  },
})
