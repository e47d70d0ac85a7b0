import { formsFamily } from './support/forms-family.ts'

/** What a push agent sends, with one member in another form: good forms are taken, and others do nothing. */
export default formsFamily('push.forms')
