import { PolicyError } from '../policy-error.ts'

/**
 * Whether a path matches one of these expressions, which are anchored at its start and not at its end.
 * The only place that runs expressions from a policy, so that another engine can take its place.
 *
 * @throws {PolicyError} `excludes[2]` for an expression that does not compile
 */
export function compileExcludes(expressions: readonly string[]): (path: string) => boolean {
  const compiled = expressions.map((expression, index) => compile(expression, `excludes[${index}]`))
  return (path) =>
    compiled.some((expression) => {
      expression.lastIndex = 0
      return expression.test(path)
    })
}

function compile(expression: string, path: string): RegExp {
  try {
    return new RegExp(`(?:${expression})`, 'y')
  } catch (cause) {
    throw new PolicyError(path, 'is not a regular expression', { cause })
  }
}
