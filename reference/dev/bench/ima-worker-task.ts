/** Entries of the list that each worker makes for itself, and how often it evaluates it per message. */
export const ENTRIES = 100_000
export const LISTS = 4
