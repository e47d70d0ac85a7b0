import { authorizationFamily } from './support/family.ts'

export default authorizationFamily({
  place: 'authorization.registrar',
  component: 'registrar',
})
