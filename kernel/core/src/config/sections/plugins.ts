import { type Static, Type } from '@agent-service/sdk'

/**
 * Section `plugins`: the sources of third-party plugins, required and disabled plugins, and their
 * settings.
 */
export const pluginsSection = Type.Object(
  {
    sources: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      uniqueItems: true,
      description: 'Plugins besides the built-in ones: names of installed npm packages, or absolute folders.',
    }),
    required: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      uniqueItems: true,
      description: 'Ids of plugins whose failure stops the start.',
    }),
    disabled: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      uniqueItems: true,
      description: 'Ids of plugins that do not run. Takes precedence over the switch in the web console.',
    }),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'Settings of plugins by id, each checked by its own schema.',
    }),
  },
  { title: 'Plugins', description: 'The sources of plugins, required and disabled plugins, and their settings.' },
)

export type PluginsSection = Static<typeof pluginsSection>
