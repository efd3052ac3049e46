import { readFile } from 'node:fs/promises'
import { type Examination, isObject, referencesIn, textsIn, variableFor } from '@agent-service/kernel-core/config'
import { isSecretName } from '@agent-service/kernel-core/log'
import { editYaml, openYaml, textOf } from '@agent-service/kernel-settings/edit'
import type { JsonValue } from '@agent-service/sdk'

/** A configuration file without the secrets that it has literally. */
export interface CopiedConfiguration {
  readonly text: string
  /** Dotted paths of what was taken out. */
  readonly secretsLeftOut: readonly string[]
}

type Path = readonly (string | number)[]

/**
 * Reads the configuration file as a backup keeps it: each literal secret is replaced by a reference
 * to a variable of the environment. References stay as they are. Undefined if there is no file.
 */
export async function copyConfiguration({ file, schema }: Pick<Examination, 'file' | 'schema'>): Promise<CopiedConfiguration | undefined> {
  if (!file.exists) return undefined
  const paths: Path[] = []
  for (const { text, path, isSecret } of textsIn(schema, file.value)) {
    const last = path.at(-1)
    const isHidden = isSecret || (typeof last === 'string' && isSecretName(last))
    if (isHidden && text !== '' && referencesIn(text).length === 0) paths.push(path)
  }
  const text = await readFile(file.path, 'utf8')
  const secretsLeftOut = paths.map((path) => path.join('.'))
  if (paths.length === 0) return { text, secretsLeftOut }
  return { text: edited(text, paths) ?? rewritten(file.value, paths), secretsLeftOut }
}

const referenceFor = (path: Path): string =>
  `\${${(path.every((part) => typeof part === 'string') ? variableFor(path as readonly string[]) : undefined) ?? nameOf(path)}}`
const nameOf = (path: Path): string =>
  path
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

/** The text with its comments; undefined if it cannot be changed in place. */
function edited(text: string, paths: readonly Path[]): string | undefined {
  const source = openYaml(text)
  if ('problems' in source || !paths.every((path) => path.every((part) => typeof part === 'string'))) return undefined
  const changed = editYaml(
    source,
    paths.map((path) => ({ kind: 'set' as const, path: path as readonly string[], value: referenceFor(path) })),
  )
  return 'problems' in changed ? undefined : textOf(changed)
}

/** The same values as JSON, which is YAML too. */
function rewritten(value: JsonValue, paths: readonly Path[]): string {
  const copy = structuredClone(value)
  for (const path of paths) {
    let place: JsonValue | undefined = copy
    for (const part of path.slice(0, -1)) place = memberOf(place, part)
    const last = path.at(-1)
    if (last !== undefined && (isObject(place) || Array.isArray(place))) Object.assign(place, { [last]: referenceFor(path) })
  }
  return `${JSON.stringify(copy, undefined, 2)}\n`
}

const memberOf = (value: JsonValue | undefined, part: string | number): JsonValue | undefined =>
  Array.isArray(value) ? value[Number(part)] : isObject(value) ? value[String(part)] : undefined
