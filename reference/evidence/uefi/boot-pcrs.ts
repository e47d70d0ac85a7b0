/** PCRs that boot firmware and boot loaders measure into; 10 belongs to IMA, 16 is the debug register. */
export const BOOT_PCRS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
