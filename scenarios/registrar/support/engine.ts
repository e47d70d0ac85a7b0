/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { openBlob } from '../../../conformance/client/agents/credential-blob.ts'
export { SOME_SERVER_CERTIFICATE } from '../../../conformance/client/agents/some-certificate.ts'
export {
  baselineRegistration,
  registrationBody,
} from '../../../conformance/steps/registration-file.ts'
export { restartRegistrar } from '../../../conformance/steps/restart-servers.ts'
export { parseCredentialBlob } from '../../../simulator/tpm/credential-blob.ts'
