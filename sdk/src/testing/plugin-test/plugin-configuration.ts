import type { TSchema } from 'typebox'
import { defineError, type Problem } from '../../core/errors.js'
import { validate } from '../../core/validate.js'
import { pointer } from '../../manifest/check-json.js'
import type { PluginManifest } from '../../manifest/plugin-manifest.js'
import { fillValues } from './fill-values.js'

/** The settings of a plugin do not fit its manifest; `problems` has each path. */
export const configurationInvalidError = defineError<{ readonly plugin: string; readonly summary: string }>({
  code: 'configuration_invalid',
  status: 500,
  title: 'Configuration invalid',
  message: ({ plugin, summary }) => `The settings of plugin “${plugin}” do not fit its manifest: ${summary}`,
})

/**
 * The value of `context.config`: the given settings with the defaults of the manifest. @throws
 * `configuration_invalid` with each problem.
 */
export function configurationFor(manifest: PluginManifest, settings: unknown = {}): unknown {
  const sections = manifest.sections
  if (sections === undefined) return sectionOf(manifest, manifest.config, settings, '')
  const given = new Map<string, unknown>(Object.entries(typeof settings === 'object' && settings !== null ? settings : {}))
  return Object.fromEntries(
    Object.entries(sections).map(([name, schema]) => [name, sectionOf(manifest, schema, given.get(name) ?? {}, pointer('', name))]),
  )
}

function sectionOf({ id }: PluginManifest, schema: TSchema | undefined, settings: unknown, path: string): unknown {
  if (schema === undefined) {
    if (typeof settings !== 'object' || settings === null || Object.keys(settings).length === 0) return Object.freeze({})
    throw invalid(
      id,
      Object.keys(settings).map((name) => ({ path: pointer(path, name), message: 'is unknown: the manifest has no “config”' })),
    )
  }
  const filled = fillValues(schema, settings, { makeObjects: true })
  const problems = validate(schema, filled).map((problem) => ({ ...problem, path: `${path}${problem.path}` }))
  if (problems.length > 0) throw invalid(id, problems)
  return freeze(filled)
}

const invalid = (plugin: string, problems: readonly Problem[]): Error =>
  configurationInvalidError.create({ plugin, summary: problems.map(({ path, message }) => `${path} ${message}`).join('; ') }, { problems })

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freeze(member)
    Object.freeze(value)
  }
  return value
}
