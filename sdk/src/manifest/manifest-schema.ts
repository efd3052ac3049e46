import { Type } from '../core/type.js'

const word = '[a-z][a-z0-9]*(-[a-z0-9]+)*'

/** Kebab-case, 2 to 64 characters. */
export const pluginIdPattern = `^${word}$`
/** Dotted, each part in kebab-case: `database.driver`, `inference`. */
export const dottedIdPattern = `^${word}(\\.${word})*$`
/** A module below the folder of `plugin.json`: no part begins with a dot, so none leads out. */
export const modulePathPattern = '^(\\./)?([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\.m?js$'
/** The tag of a route: one line. */
export const tagPattern = '^[^\\r\\n]{1,100}$'
/** `/api/chats`: literal parts, none of them beginning with a dot, no slash at the end. */
export const routePrefixPattern = '^(/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+$'
/**
 * `docs.localhost`, `*.localhost`, `*.{app.host}`: labels of a host name; the first may be `*`; one
 * may be a path into the configuration.
 */
export const hostClaimPattern =
  '^(\\*\\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)*([a-z0-9]([a-z0-9-]*[a-z0-9])?|\\{[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*\\})$'
/** `task.updated`, `dice.rolled`: at least two parts, words joined by hyphens or underscores. */
export const eventNamePattern = '^[a-z][a-z0-9]*([_-][a-z0-9]+)*(\\.[a-z][a-z0-9]*([_-][a-z0-9]+)*)+$'
/**
 * A section of the configuration file: one word, because an underscore would be read as a border in
 * names of variables.
 */
export const sectionNamePattern = '^[a-z][a-z0-9]*$'

const dottedIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ pattern: dottedIdPattern, maxLength: 100 }), { maxItems: 100, uniqueItems: true, description }))

const text = (options: { readonly maxLength: number; readonly description?: string }) => Type.String({ minLength: 1, ...options })

const permission = Type.Object({
  kind: Type.Union(
    (['network', 'files', 'process', 'environment', 'secrets', 'models', 'console'] as const).map((kind) => Type.Literal(kind)),
    { description: 'What the plugin accesses.' },
  ),
  targets: Type.Optional(Type.Array(text({ maxLength: 500 }), { maxItems: 200 })),
  targetsFromConfiguration: Type.Optional(Type.Array(Type.String({ pattern: '^(/[^/]+)+$', maxLength: 200 }), { maxItems: 50 })),
  reason: text({ maxLength: 500 }),
})

const eventType = Type.Object({
  description: text({ maxLength: 500, description: 'When it is published, in one sentence.' }),
  schema: Type.Unknown({ description: 'The JSON Schema of its data, an object.' }),
})

const subsystems = (description: string) =>
  Type.Optional(Type.Array(Type.String({ pattern: dottedIdPattern, maxLength: 100 }), { maxItems: 20, uniqueItems: true, description }))

const extension = Type.Object({
  section: Type.String({ pattern: sectionNamePattern, maxLength: 64 }),
  place: text({ maxLength: 100 }),
  variant: text({ maxLength: 100 }),
  schema: Type.Unknown({ description: 'A JSON Schema of an object.' }),
})

const manifestProperties = {
  id: Type.String({ pattern: pluginIdPattern, minLength: 2, maxLength: 64, description: 'Kebab-case, the point first: vault-keepass.' }),
  renamedFrom: Type.Optional(
    Type.Array(Type.String({ pattern: pluginIdPattern, minLength: 2, maxLength: 64 }), {
      maxItems: 8,
      uniqueItems: true,
      description: 'Ids that the plugin had before: it takes over what is stored under them.',
    }),
  ),
  apiVersion: Type.Integer({
    minimum: 1,
    description: 'The generation of manifest, context and lifecycle that the plugin was written for.',
  }),
  description: Type.Optional(text({ maxLength: 500, description: 'One sentence for people.' })),
  contributes: dottedIds('The contribution points that the plugin may add to.'),
  provides: dottedIds('Ids of the services that it provides.'),
  requires: dottedIds('Ids of services that must be there.'),
  optional: dottedIds('Ids of services that are used when they are there.'),
  config: Type.Optional(Type.Unknown({ description: 'The JSON Schema of plugins.settings.<id>. Not together with sections.' })),
  sections: Type.Optional(
    Type.Record(Type.String({ pattern: sectionNamePattern }), Type.Unknown(), {
      additionalProperties: false,
      description: 'For built-ins: the JSON Schemas of the sections that the plugin owns.',
    }),
  ),
  extends: Type.Optional(Type.Array(extension, { maxItems: 100 })),
  rules: Type.Optional(
    Type.String({ pattern: modulePathPattern, maxLength: 200, description: 'A module of pure rules, relative to this file.' }),
  ),
  routes: Type.Optional(Type.Array(Type.String({ pattern: routePrefixPattern, maxLength: 200 }), { maxItems: 50, uniqueItems: true })),
  tags: Type.Optional(
    Type.Record(Type.String({ pattern: tagPattern }), text({ maxLength: 1_000 }), {
      additionalProperties: false,
      maxProperties: 50,
      description: 'What the routes of a tag are about, by tag.',
    }),
  ),
  hosts: Type.Optional(Type.Array(Type.String({ pattern: hostClaimPattern, maxLength: 253 }), { maxItems: 20, uniqueItems: true })),
  events: Type.Optional(
    Type.Record(Type.String({ pattern: eventNamePattern, maxLength: 100 }), eventType, {
      additionalProperties: false,
      description: 'The types of events that the plugin publishes, by name. Names that end in .delta are deltas.',
    }),
  ),
  storage: Type.Optional(
    Type.Object({
      subsystems: subsystems("Folders below a user's folder that the plugin owns."),
      uses: subsystems('Folders of users that other plugins own and that this one uses too.'),
    }),
  ),
  permissions: Type.Optional(Type.Array(permission, { maxItems: 50 })),
  activation: Type.Optional(
    Type.Object({
      at: Type.Literal('start', { description: 'With the service, not when it is first used.' }),
      reason: text({ maxLength: 500, description: 'Why, in one sentence for the operator.' }),
    }),
  ),
  stage: Type.Optional(Type.Literal('declared', { description: 'Schema only, no code yet.' })),
}

const recordedContribution = Type.Object({
  point: Type.String({ pattern: dottedIdPattern, maxLength: 100, description: 'The id of its point.' }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'Its members that are no functions.' }),
  functions: Type.Array(text({ maxLength: 100 }), { maxItems: 50, uniqueItems: true, description: 'The names of its functions.' }),
})

const recordedCollection = Type.Object({
  name: text({ maxLength: 200 }),
  userField: Type.Optional(text({ maxLength: 200, description: 'The member of its documents that holds their user.' })),
})

/** What a `plugin.json` may have at most, in bytes. */
export const maxManifestBytes = 1_048_576

/** The structure of a manifest as code has it. Schemas inside it are checked apart. */
export const manifestSchema = Type.Object(manifestProperties)

/** The structure of `plugin.json`. */
export const manifestFileSchema = Type.Object(
  {
    ...manifestProperties,
    version: text({ maxLength: 100, description: "The plugin's own version, from its package.json." }),
    entry: Type.Optional(
      Type.String({
        pattern: modulePathPattern,
        maxLength: 200,
        description: 'The module with the default export, relative to this file.',
      }),
    ),
    recorded: Type.Optional(
      Type.Object(
        {
          settings: Type.Unknown({ description: 'The settings that the plugin had.' }),
          collections: Type.Array(recordedCollection, { maxItems: 200, description: 'The collections of the plugin.' }),
          contributions: Type.Array(recordedContribution, { maxItems: 10_000 }),
        },
        {
          description:
            'What setup contributes, written by the build. The service loads the code when one of the functions is called for the first time.',
        },
      ),
    ),
  },
  { title: 'plugin.json', description: 'What is known of a plugin of Agent Service without running its code.' },
)
