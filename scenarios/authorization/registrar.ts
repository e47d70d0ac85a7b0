import { authorizationFamily } from '../../conformance/dsl.ts'

export default authorizationFamily({
  place: 'authorization.registrar',
  component: 'registrar',
})
