import type { TSchema } from 'typebox'
import type { Problem } from '../core/errors.js'
import { validate } from '../core/validate.js'
import { checkJson, pointer } from './check-json.js'
import { manifestFileSchema, manifestSchema } from './manifest-schema.js'
import { type PluginManifest, type PluginManifestFile, pluginApiVersion } from './plugin-manifest.js'
import { checkPortableSchema } from './portable-schema.js'

/**
 * A valid manifest, or all of its problems. Paths are JSON pointers: `/config/properties/sides`.
 */
export type ManifestCheck<Manifest extends PluginManifest> = { readonly manifest: Manifest } | { readonly problems: readonly Problem[] }

/**
 * Checks the manifest of `definePlugin`: its structure, that its schemas survive JSON, and that its
 * parts agree. Never throws.
 */
export function checkManifest(value: unknown): ManifestCheck<PluginManifest> {
  return check<PluginManifest>(manifestSchema, value)
}

/** Checks the parsed content of `plugin.json`. Never throws. */
export function checkManifestFile(value: unknown): ManifestCheck<PluginManifestFile> {
  const result = check<PluginManifestFile>(manifestFileSchema, value)
  if ('problems' in result) return result
  const { stage, entry } = result.manifest
  if (stage === 'declared' && entry !== undefined)
    return { problems: [{ path: '/entry', message: 'must be absent: a plugin in stage “declared” has no code' }] }
  if (stage === undefined && entry === undefined)
    return { problems: [{ path: '/entry', message: 'is required; only a plugin in stage “declared” has none' }] }
  return result
}

function check<Manifest extends PluginManifest>(schema: TSchema, value: unknown): ManifestCheck<Manifest> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problems: [{ path: '/', message: 'must be an object' }] }
  const version = (value as { readonly apiVersion?: unknown }).apiVersion
  if (Number.isSafeInteger(version) && version !== pluginApiVersion) return { problems: [unsupportedApiVersion(Number(version))] }
  const {
    config,
    sections,
    extends: extensions,
    events,
  } = value as { readonly config?: unknown; readonly sections?: unknown; readonly extends?: unknown; readonly events?: unknown }
  const problems = [
    ...validate(schema, value),
    ...checkPlainMembers(value),
    ...(config === undefined ? [] : checkObjectSchema(config, '/config')),
    ...entriesOf(sections).flatMap(([name, section]) => checkPortableSchema(section, pointer('/sections', name))),
    ...(Array.isArray(extensions)
      ? extensions.flatMap((extension: unknown, index) => checkSchemaMember(extension, pointer('/extends', index)))
      : []),
    ...entriesOf(events).flatMap(([name, event]) => checkSchemaMember(event, pointer('/events', name))),
  ]
  if (problems.length > 0) return { problems }
  const disagreements = checkAgreement(value as Manifest)
  return disagreements.length > 0 ? { problems: disagreements } : { manifest: value as Manifest }
}

const unsupportedApiVersion = (version: number): Problem => ({
  path: '/apiVersion',
  message:
    version > pluginApiVersion
      ? `is ${version}, and this version of the service supports ${pluginApiVersion}: update the service, or install an older version of the plugin`
      : `is ${version}, and this version of the service supports ${pluginApiVersion}: install a newer version of the plugin`,
})

/**
 * Members other than schemas must be JSON too: a date that happens to pass a structural check would
 * not come back from the file.
 */
function checkPlainMembers(manifest: object): readonly Problem[] {
  return Object.entries(manifest)
    .filter(([name]) => name !== 'config' && name !== 'sections' && name !== 'extends' && name !== 'events')
    .flatMap(([name, member]) => checkJson(member, pointer('', name)))
}

function checkObjectSchema(schema: unknown, path: string): readonly Problem[] {
  const problems = checkPortableSchema(schema, path)
  if (problems.length > 0) return problems
  return (schema as { readonly type?: unknown }).type === 'object' ? [] : [{ path, message: 'must be the schema of an object' }]
}

/** Of an extension or a type of event: its member `schema`. */
function checkSchemaMember(owner: unknown, path: string): readonly Problem[] {
  if (typeof owner !== 'object' || owner === null) return []
  return checkObjectSchema((owner as { readonly schema?: unknown }).schema, pointer(path, 'schema'))
}

function checkAgreement(manifest: PluginManifest): readonly Problem[] {
  const { provides = [], requires = [], optional = [], renamedFrom = [] } = manifest
  return [
    ...renamedFrom.flatMap((id, index) =>
      id === manifest.id
        ? [{ path: pointer('/renamedFrom', index), message: `“${id}” is the id that the plugin has; list earlier ones only` }]
        : [],
    ),
    ...(manifest.config !== undefined && manifest.sections !== undefined
      ? [
          {
            path: '/config',
            message: 'must be absent where “sections” is there: a plugin has settings of its own or owns sections of the file',
          },
        ]
      : []),
    ...provides.flatMap((id, index) =>
      id.startsWith('kernel.')
        ? [{ path: pointer('/provides', index), message: `“${id}” is reserved: services named kernel.* are the kernel's own` }]
        : [],
    ),
    ...requires.flatMap((id, index) =>
      provides.includes(id) ? [{ path: pointer('/requires', index), message: `“${id}” is what the plugin provides itself` }] : [],
    ),
    ...optional.flatMap((id, index) =>
      provides.includes(id) || requires.includes(id)
        ? [{ path: pointer('/optional', index), message: `“${id}” is listed in “${provides.includes(id) ? 'provides' : 'requires'}” too` }]
        : [],
    ),
    ...(manifest.storage?.uses ?? []).flatMap((name, index) =>
      manifest.storage?.subsystems?.includes(name)
        ? [{ path: pointer('/storage/uses', index), message: `“${name}” is listed in “subsystems” too` }]
        : [],
    ),
  ]
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
