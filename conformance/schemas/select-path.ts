/**
 * The values at a path of a JSON body: dotted members, `[]` for each element of an array or for an object in its place,
 * and `[member=value]` for the elements with that value. A missing member gives one `undefined`; an empty
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
  const [name, wanted] = step.slice(1, -1).split('=')
  if (!Array.isArray(value)) return [wanted === undefined && isObject(value) ? value : undefined]
  if (wanted === undefined) return value
  const matching = value.filter((element) => String(member(element, name ?? '')) === wanted)
  return matching.length === 0 ? [undefined] : matching
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
