import { selectionFamily } from './support/selection-family.ts'

/** The choice for a quote must be in every applicable list. */
export default selectionFamily('push.selection')
