/** Entries of the list that each worker makes for itself, and how often it judges it when it is told to. */
export const ENTRIES = 100_000
export const LISTS = 4
