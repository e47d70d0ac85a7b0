import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { compareSkipped, loadSkipList, type RunFile, unmetNeeds } from './skipped-tests.ts'

/**
 * Fails a run if the skipped tests are not those of `skipped-tests.yaml`, so that no test is skipped unnoticed. A run
 * of tests by name skips all others, and is not checked.
 */
export function skippedReporter(): Reporter {
  let vitest: Vitest | undefined
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunEnd(modules) {
      if (!vitest || vitest.config.testNamePattern) return
      const { root } = vitest.config
      const list = loadSkipList(root)
      const found = compareSkipped(list, unmetNeeds(list, root), modules.map(runFile))
      if (found.length === 0) return
      console.error(
        `\nThe skipped tests are not those of conformance/selftest/rules/skipped-tests.yaml; correct the test or the list:\n${found.join('\n')}\n`,
      )
      process.exitCode = 1
    },
  }
}

function runFile(module: TestModule): RunFile {
  const tests = [...module.children.allTests()].map((test) => ({
    title: test.fullName,
    skipped: test.result().state === 'skipped',
  }))
  return { file: module.relativeModuleId, tests }
}
