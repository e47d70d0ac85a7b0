import { scenario } from '../../conformance/scenario.ts'
import { faceImpostors } from './support/face-impostors.ts'

export default scenario({
  id: 'push-agent.certificates',
  title:
    'A push agent whose verifier shows a wrong certificate sends it nothing, at first and mid-way',
  requirements: ['PSH-CHECKS-CERTIFICATE', 'PSH-NO-CLEAR', 'PSH-STATE-NETWORK-ERROR'],
  role: 'push_agent',
  seconds: 7,
  since: '3.0',
  variantOf: 'push-agent.cycles',
  run: faceImpostors,
})
