/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export {
  bearer,
  type Credentials,
  onOneConnection,
  withAuthorization,
} from '../../../conformance/client/identity.ts'
export { resumeTls } from '../../../conformance/client/tls/resume-tls.ts'
export { headersOfProxies } from '../../../conformance/steps/proxy-headers.ts'
