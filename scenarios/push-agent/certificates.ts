import { scenario } from '../../conformance/scenario.ts'
import { faceImpostors } from './support/face-impostors.ts'

export default scenario({
  id: 'push-agent.certificates',
  title:
    'A push agent sends nothing to a verifier with an invalid certificate, at the start or later',
  requirements: ['PSH-CHECKS-CERTIFICATE', 'PSH-NO-CLEAR', 'PSH-STATE-NETWORK-ERROR'],
  role: 'push_agent',
  seconds: 7,
  since: '3.0',
  variantOf: 'push-agent.cycles',
  run: faceImpostors,
})
