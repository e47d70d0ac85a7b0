import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { firstOf, stepsOf } from '../../../conformance/oracle/recording-parts.ts'
import {
  checkAttestationKey,
  checkEndorsement,
} from '../../../conformance/oracle/registered-keys.ts'
import type { PushRecording } from '../../../conformance/peers/push-agent-pool.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { Attributes } from '../../../simulator/services/verifier-truth.ts'

export const REGISTRATION_REQUIREMENTS = [
  'PSH-REGISTERS-FIRST',
  'PSH-REGISTERS-ROUTES',
  'PSH-REGISTERS-BODY-ID',
  'PSH-REGISTERS-EKCERT',
  'PSH-REGISTERS-AIK',
  'PSH-REGISTERS-MTLS-CERT',
  'PSH-REGISTERS-PORT-TEXT',
  'PSH-ACTIVATES',
  'PSH-ACTIVATES-TAG',
] as const

const ACTIVATION = /^(POST \/v3(\.0)?|PUT \/v2\.\d)\/agents\/:id\/activate\/?$/

const FORMS: readonly (readonly [form: string, looks: RegExp])[] = [
  ['PEM', /^-----BEGIN/],
  ['base64', /^[A-Za-z0-9+/]+=*$/],
  ['empty', /^$/],
]

function formOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (typeof value !== 'string') return value === null ? 'null' : typeof value
  return FORMS.find(([, looks]) => looks.test(value))?.[0] ?? JSON.stringify(value)
}

/** Checks the requests of the agent to the registrar, and their order. */
export function checkRegistration({ check, observe }: Context, recording: PushRecording): void {
  const { operations, id, machine } = recording
  const registered = firstOf(operations, 'register')
  const [first] = operations.filter(({ step }) => step !== 'version')
  check('PSH-REGISTERS-FIRST', 'its first request').of(first?.step).is('register')
  const { url, method } = registered.request
  const route = `${method} ${url.replace(id, ':id')}`
  check('PSH-REGISTERS-ROUTES', 'the route')
    .of(route)
    .meets({
      'the routes of 3.0': (seen) => /^POST \/v3(\.0)?\/agents\/?$/.test(seen),
      'the routes of 2.x': (seen) => /^POST \/v2\.\d\/agents\/:id\/?$/.test(seen),
    })
  observe('SAMEREG', 'the route of the registration', route)
  const isLegacy = url.includes(id)
  const body = (registered.request.json ?? {}) as Attributes
  check('PSH-REGISTERS-BODY-ID', 'agent_id')
    .of(isLegacy ? 'in the path' : body['agent_id'])
    .is(isLegacy ? 'in the path' : id)
  const registration = recording.registrar.registrationOf(id)
  if (registration === undefined)
    throw new PrerequisiteFailed({
      ...{ requirement: 'PSH-REGISTERS-BODY-ID', what: 'the registered id' },
      ...{ expected: 'the id of the agent', received: 'another one' },
    })
  const { activated } = registration
  checkEndorsement(check, 'PSH-REGISTERS-EKCERT', { machine, registration })
  checkAttestationKey(check, 'PSH-REGISTERS-AIK', body['aik_tpm'])
  check('PSH-REGISTERS-EKCERT', 'the form of ekcert')
    .of(formOf(body['ekcert']))
    .isOneOf(['base64', 'PEM'])
  observe('EKCERT', 'the form of ekcert', formOf(body['ekcert']))
  const certificate = formOf(body['mtls_cert'])
  check('PSH-REGISTERS-MTLS-CERT', 'mtls_cert')
    .of(certificate)
    .meets({
      'a certificate': (form) => form === 'PEM' || form === 'base64',
      none: (form) => form === 'absent' || form === 'null',
      'a word for none': (form) => form.startsWith('"'),
    })
  observe('MTLSPUSH', 'mtls_cert', certificate)
  const { port } = body
  if (port !== undefined && port !== null)
    check('PSH-REGISTERS-PORT-TEXT', 'the type of port')
      .of(typeof port)
      .is('string')
  else check('PSH-REGISTERS-PORT-TEXT', 'port').of(port).isOneOf([undefined, null])
  check('PSH-ACTIVATES', 'activations')
    .of(stepsOf(operations, 'activate').length)
    .matches('one at least', (count) => count > 0)
  for (const { request } of stepsOf(operations, 'activate'))
    check('PSH-ACTIVATES', 'the route of the activation')
      .of(`${request.method} ${request.url.replace(id, ':id')}`)
      .matches('POST in 3.0, and PUT in 2.x', (seen) => ACTIVATION.test(seen))
  if (stepsOf(operations, 'activate').length > 0)
    check('PSH-ACTIVATES-TAG', 'the form of the challenge that keyed the tag')
      .of(activated)
      .isOneOf(['base64', 'raw'])
}
