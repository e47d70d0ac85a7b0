import { authorizationFamily } from '../../conformance/dsl.ts'

export default authorizationFamily({
  place: 'authorization.verifier',
  component: 'verifier',
})
