/**
 * The values at a path of a JSON body: dotted members, `[]` for each element of an array, and
 * `[member=value]` for the elements with that value. A missing member gives one `undefined`; an empty
 * array gives no value.
 */
export function selectPath(body: unknown, path: string): readonly unknown[] {
  const steps = path.match(/[^.[\]]+(?=[.[]|$)|\[[^\]]*\]/g) ?? []
  return steps.reduce<readonly unknown[]>(
    (values, step) => values.flatMap((value) => takeStep(value, step)),
    [body],
  )
}

function takeStep(value: unknown, step: string): readonly unknown[] {
  if (!step.startsWith('[')) return [member(value, step)]
  if (!Array.isArray(value)) return [undefined]
  const [name, wanted] = step.slice(1, -1).split('=')
  if (wanted === undefined) return value
  const matching = value.filter((element) => String(member(element, name ?? '')) === wanted)
  return matching.length === 0 ? [undefined] : matching
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
