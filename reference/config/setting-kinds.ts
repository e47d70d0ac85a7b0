import { API_VERSIONS, type ApiVersion, parseVersions } from '../api/versions.ts'

export type Value = string | number | boolean | readonly string[] | readonly object[]

/** A setting: its default and its allowed values. */
export interface Setting<T> {
  readonly fallback: T
  readonly read: (text: string) => T | undefined
  readonly wants: string
  readonly about: string
}

export const text = (fallback: string, about: string): Setting<string> => ({
  fallback,
  read: (value) => value,
  wants: 'a text',
  about,
})

export const integer = (
  fallback: number,
  least: number,
  most: number,
  about: string,
): Setting<number> => ({
  fallback,
  read: (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  },
  wants: `a whole number from ${least} to ${most}`,
  about,
})

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

export const flag = (fallback: boolean, about: string): Setting<boolean> => ({
  fallback,
  read: (value) => FLAGS.get(value.toLowerCase()),
  wants: 'True or False',
  about,
})

export const oneOf = <const T extends string>(values: readonly T[], about: string): Setting<T> => ({
  fallback: values[0] as T,
  read: (value) => values.find((known) => known === value),
  wants: `one of ${values.join(', ')}`,
  about,
})

export const versions = (
  fallback: readonly ApiVersion[],
  about: string,
): Setting<readonly ApiVersion[]> => ({
  fallback,
  read: parseVersions,
  wants: `a list with commas of ${API_VERSIONS.join(', ')}`,
  about,
})

/** A list of names; an INI file may have it in the brackets and quotation marks of upstream. */
export const names = (fallback: readonly string[], about: string): Setting<readonly string[]> => ({
  fallback,
  read: (value) => {
    const words = value.replace(/[[\]'"\s]/g, '').split(',')
    return words.every((word) => /^\w+$/.test(word)) ? words : undefined
  },
  wants: 'names, separated by commas',
  about,
})

/** A setting whose part of the component may be left out. */
export const orOff = (setting: Setting<number>): Setting<number | 'off'> => ({
  fallback: 'off',
  read: (value) => (value === 'off' ? value : setting.read(value)),
  wants: `off, or ${setting.wants}`,
  about: setting.about,
})

export type Values<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }
