const NAMES: Readonly<Record<number, string>> = {
  0: 'the firmware itself',
  1: 'settings of the firmware',
  2: 'programs on plugged-in devices (option ROMs)',
  3: 'settings of plugged-in devices',
  4: 'the boot loader',
  5: 'settings of the boot loader, and the partition table',
  6: 'events of the maker of the machine',
  7: 'Secure Boot: whether it is on, and whose keys it trusts',
  8: 'commands of the boot loader, kernel command line',
  9: 'files that the boot loader read: kernel, initial RAM disk',
  10: 'files that the running kernel measured (IMA)',
  11: 'parts of a unified kernel image',
  12: 'overrides of the kernel command line',
  13: 'system extensions of the initial RAM disk',
  14: 'keys of the shim boot loader (MOK)',
  15: 'identity of the machine, as the system sets it',
  16: 'for debugging: anybody may reset it',
  23: 'for applications: anybody may reset it',
}

/** What a register of a PC holds, in a clause. */
export function pcrName(pcr: number): string {
  if (pcr >= 17 && pcr <= 22) return 'a late, measured launch (DRTM)'
  return NAMES[pcr] ?? 'no register of a PC'
}
