import { type ApiVersion, isWithin, type VersionRange } from './versions.ts'

/** One member of a reply: the versions that have it, and what it holds. A name may have another row for other versions. */
export interface Member<Source> extends Partial<VersionRange> {
  readonly name: string
  readonly of: (source: Source) => unknown
}

export type ReplyShape<Source> = readonly Member<Source>[]

/** The members that a version has, in the order of the shape. */
export function present<Source>(
  shape: ReplyShape<Source>,
  source: Source,
  version: ApiVersion,
): Readonly<Record<string, unknown>> {
  const members = shape.filter((member) => isWithin(version, member))
  return Object.fromEntries(members.map(({ name, of }) => [name, of(source)]))
}

/** Members that every version has, as they are in the source. */
export function columns<Source>(...names: readonly (keyof Source & string)[]): ReplyShape<Source> {
  return names.map((name) => ({ name, of: (source) => source[name] }))
}
