const NAMES: Readonly<Record<number, string>> = {
  0: 'firmware code',
  1: 'firmware configuration',
  2: 'option ROM code',
  3: 'option ROM configuration',
  4: 'boot loader code',
  5: 'boot loader configuration and partition table',
  6: 'events of the platform manufacturer',
  7: 'Secure Boot state and keys',
  8: 'boot loader commands and kernel command line',
  9: 'files read by the boot loader: kernel, initial RAM disk',
  10: 'files measured by the running kernel (IMA)',
  11: 'parts of a unified kernel image',
  12: 'overrides of the kernel command line',
  13: 'system extensions of the initial RAM disk',
  14: 'keys of the shim boot loader (MOK)',
  15: 'system identity',
  16: 'debugging; software can reset it',
  23: 'applications; software can reset it',
}

/** Usual content of a PCR of a PC. */
export function pcrName(pcr: number): string {
  if (pcr >= 17 && pcr <= 22) return 'dynamic root of trust (DRTM)'
  return NAMES[pcr] ?? 'not a PCR of a PC'
}
