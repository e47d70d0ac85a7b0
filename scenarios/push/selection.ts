import { selectionFamily } from './support/selection-family.ts'

/** What is chosen for a quote stands in every list that has a say in it. */
export default selectionFamily('push.selection')
