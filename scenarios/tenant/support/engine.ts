export { wrongMembers } from '../../../conformance/schemas/check-request.ts'
export { longestAlike, TEXTS_LITTLE_ALIKE } from '../../../conformance/steps/alike.ts'
export { nodeKeyOf, STRANGER } from '../../../simulator/agents/node-key.ts'
export { makeServerCertificate } from '../../../simulator/agents/server-certificate.ts'
