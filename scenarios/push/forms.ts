import { formsFamily } from './support/forms-family.ts'

/** Documents of a push agent with one member in another form: valid forms are accepted, others have no effect. */
export default formsFamily('push.forms')
