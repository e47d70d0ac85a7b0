import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toldByTool } from '../testing/eventlog-tool.ts'
import { openLab } from '../testing/lab.ts'
import { HAS_TOOLS } from '../testing/tools.ts'
import { BANKS } from '../tpm/hash.ts'
import { cat, equal, text, toHex } from '../tpm/write.ts'
import { bootPolicyOf } from '../uefi/boot-policy-of.ts'
import { countEvents, eventsIn } from '../uefi/log-form.ts'
import { PROFILES } from '../uefi/profiles/known-profiles.ts'
import { SHIM_GRUB } from '../uefi/profiles/loaders.ts'
import { replayEvents } from '../uefi/replay-log.ts'
import { FULL_BOOT } from '../vectors/fixtures.ts'
import { loadRecordedBoot } from './recorded-boot.ts'
import { replayBoot } from './replay.ts'
import { bootAggregate, editedBoot, eventsOf, scriptedBoot } from './scripted-boot.ts'
import { softPcrs } from './soft-pcrs.ts'

const lab = openLab()
const recorded = await loadRecordedBoot(FULL_BOOT)
const boots = PROFILES.map((profile) => [profile.name, scriptedBoot(profile, recorded)] as const)
const FIRMWARE_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14]

test.each(boots)('the log of %s replays to the PCRs of its machine', async (_, boot) => {
  const tpm = softPcrs()
  await replayBoot(tpm, boot)
  for (const bank of boot.firmware?.banks ?? []) {
    const replayed = replayEvents(eventsIn(boot.uefi), bank, FIRMWARE_PCRS)
    expect(replayed).toEqual(await tpm.pcrRead(bank, FIRMWARE_PCRS))
  }
})

test.skipIf(!HAS_TOOLS).each(boots)(
  'tpm2_eventlog reads the log of %s as intended',
  async (_, boot) => {
    const file = join(await lab.directory(), 'log')
    await writeFile(file, boot.uefi)
    const { events, pcrs } = await toldByTool(file)
    expect(events).toBe(countEvents(boot.uefi))
    for (const bank of boot.firmware?.banks ?? []) {
      const printed = [...pcrs].filter(([key]) => key.startsWith(`${bank} `))
      const replayed = replayEvents(eventsIn(boot.uefi), bank, FIRMWARE_PCRS)
      expect(printed.length).toBeGreaterThan(5)
      for (const [key, value] of printed)
        expect(`${key} ${value}`).toBe(
          `${key} ${toHex(replayed.get(Number(key.split(' ')[1])) ?? text(''))}`,
        )
    }
  },
)

test('a machine that boots other firmware has other PCRs in every bank, and its list begins with their aggregate', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  await machine.play('reboot shim-grub')
  for (const bank of BANKS) {
    const expected = replayEvents(eventsOf(SHIM_GRUB), bank, FIRMWARE_PCRS)
    expect(await machine.tpm.pcrRead(bank, FIRMWARE_PCRS)).toEqual(expected)
  }
  expect(machine.uefi.bytes).toEqual(scriptedBoot(SHIM_GRUB, recorded).uefi)
  const aggregate = cat(text('sha256:\0'), bootAggregate(eventsOf(SHIM_GRUB)))
  expect(machine.ima.entries[0]?.fields[0]).toEqual(aggregate)
  await machine.play('reboot')
  expect(machine.uefi.entryCount).toBe(SHIM_GRUB.steps.length + 1)
})

test('the aggregate of the recorded boot equals the one that its kernel measured', () => {
  const measured = recorded.ima[0]?.fields[0] ?? text('')
  expect(equal(measured, cat(text('sha256:\0'), bootAggregate(eventsIn(recorded.uefi))))).toBe(true)
})

test('an edited boot keeps the form of its log', () => {
  const edited = editedBoot(recorded, (events) => events.slice(0, -1))
  expect(recorded.uefi.length - edited.uefi.length).toBeGreaterThan(0)
  expect(recorded.uefi.subarray(0, edited.uefi.length)).toEqual(edited.uefi)
})

test('unknown firmware is refused with the known names', async () => {
  const machine = await lab.machine({ ak: 'ecc256', name: 'n' })
  await expect(machine.play('reboot uboot')).rejects.toThrow(
    /^script line 1: there is no firmware "uboot"; the known ones are ovmf, ovmf-secure, shim-grub/,
  )
})

test('the policy of a boot names its keys, its lists and the loaders of its kernel', () => {
  const policy = bootPolicyOf(eventsOf(SHIM_GRUB))
  expect(policy).toMatchObject({ has_secureboot: true, mokdig: [{}], mokxdig: [{}] })
  expect([policy.pk, policy.kek, policy.db, policy.dbx].map((keys) => keys?.length)).toEqual([
    1, 2, 2, 2,
  ])
  expect(Object.keys(policy.kernels?.[0] ?? {})).toHaveLength(5)
})
