import { chai } from 'vitest'

/**
 * allure-vitest makes a step of each assertion, which took a fifth of the time of the tests and which no reader of the
 * results needs. It leaves the assertions as they are if they have its mark.
 */
Object.defineProperty(chai.Assertion.prototype, Symbol.for('allure.vitest.expectPatched'), {
  value: true,
})
