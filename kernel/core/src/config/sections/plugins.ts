import { type Static, Type } from '@agent-service/sdk'
import { names, seconds } from './fields.js'

/**
 * Section `plugins`: the sources of third-party plugins, required and disabled plugins, and their
 * settings.
 */
export const pluginsSection = Type.Object(
  {
    sources: names('Plugins besides the built-in ones: names of installed npm packages, or absolute folders.'),
    required: names('Ids of plugins whose failure stops the start.'),
    disabled: names('Ids of plugins that do not run. Takes precedence over the switch in the web console.'),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'Settings of plugins by id, each checked by its own schema.',
    }),
  },
  { title: 'Plugins', description: 'The sources of plugins, required and disabled plugins, and their settings.' },
)

/** Section `scheduler`: recurring work. */
export const schedulerSection = Type.Object(
  { poll_secs: seconds(60, 1, 'How often the scheduler checks for due tasks.') },
  { title: 'Scheduler', description: 'Recurring work.' },
)

export type PluginsSection = Static<typeof pluginsSection>
export type SchedulerSection = Static<typeof schedulerSection>
