import { authorizationFamily } from './support/family.ts'

export default authorizationFamily({
  place: 'authorization.verifier',
  component: 'verifier',
})
