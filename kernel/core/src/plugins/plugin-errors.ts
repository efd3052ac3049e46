import { defineError } from '@agent-service/sdk'
import { boundedLines } from '@agent-service/sdk/host'

export const pluginUnknownError = defineError<{ readonly id: string }>({
  code: 'plugin_unknown',
  status: 404,
  title: 'Unknown plugin',
  message: ({ id }) => `No plugin “${id}” is installed. GET /api/admin/plugins lists those that are installed.`,
})

/** The configuration decides about this plugin, so its switch cannot. */
export const pluginLockedError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'plugin_locked',
  status: 409,
  title: 'Plugin locked',
  message: ({ id, reason }) => `Plugin “${id}” cannot be enabled here: ${reason}. Change the configuration and restart the service.`,
})

/** Something that must run would stop with this plugin. `problems` lists each with the reason. */
export const pluginInUseError = defineError<{ readonly id: string; readonly neededBy: readonly string[] }>({
  code: 'plugin_in_use',
  status: 409,
  title: 'Plugin in use',
  message: ({ id, neededBy }) => `Plugin “${id}” cannot be disabled while the service runs. Needed: ${neededBy.join('; ')}.`,
})

/** The data of a plugin that is installed and not switched off cannot be deleted. */
export const pluginDataInUseError = defineError<{ readonly id: string; readonly state: string }>({
  code: 'plugin_data_in_use',
  status: 409,
  title: 'Data of the plugin in use',
  message: ({ id, state }) =>
    `The data of plugin “${id}” cannot be deleted: the plugin is installed, and is ${state}. Disable it first (agent-service plugins disable ${id}), or remove it and restart the service. Collections that its version has left behind can be deleted while it runs (agent-service plugins data delete ${id} --left-behind).`,
})

export const notImplementedYetError = defineError<{ readonly id: string }>({
  code: 'not_implemented_yet',
  status: 409,
  title: 'Not implemented yet',
  message: ({ id }) => `Plugin “${id}” is only declared: its settings are known, but its code does not exist yet.`,
})

export const pluginRequiredFailedError = defineError<{ readonly plugin: string; readonly neededFor: string; readonly reason: string }>({
  code: 'plugin_required_failed',
  status: 500,
  title: 'Required plugin failed',
  message: ({ plugin, neededFor, reason }) => `Plugin “${plugin}” is needed (${neededFor}) but is not active: ${reason}`,
})

export const serviceUnavailableError = defineError<{ readonly plugin: string; readonly service: string; readonly hint: string }>({
  code: 'service_unavailable',
  status: 500,
  title: 'Service unavailable',
  message: ({ plugin, service, hint }) => `Plugin “${plugin}” asked for the service “${service}”, which is not available: ${hint}`,
})

export const pluginStartError = defineError<{ readonly reason: string }>({
  code: 'plugin_start_failed',
  status: 500,
  title: 'Plugin start failed',
  message: ({ reason }) => reason,
})

/** What a plugin's setup contributed is not what the build recorded in its `plugin.json`. */
export const recordedSetupDiffersError = defineError<{ readonly difference: string }>({
  code: 'recorded_setup_differs',
  status: 500,
  title: 'Recorded setup differs',
  message: ({ difference }) =>
    `setup contributed something else than plugin.json says: ${difference}. Build the plugin again; if what it contributes depends on the deployment, write activation: { at: 'start', reason: '…' } in its manifest`,
})

/** A plugin was to start because something that it contributes was used, and does not run. Its state has the reason. */
export const pluginUnavailableError = defineError<{ readonly id: string }>({
  code: 'plugin_unavailable',
  status: 503,
  title: 'Plugin unavailable',
  message: ({ id }) =>
    `This needs the plugin “${id}”, which could not be started. An administrator finds the reason in the list of plugins.`,
})

/** A plugin that is refused for these reasons, one line each; all of them are in `problems`. */
export const refusedPlugin = (lines: readonly string[]): Error =>
  pluginStartError.create(
    { reason: boundedLines(lines).join('; ') },
    { problems: lines.map((message, index) => ({ path: `/${index}`, message })) },
  )

export const hostStoppedError = defineError<Record<string, never>>({
  code: 'service_stopping',
  status: 503,
  title: 'Service stopping',
  message: () => 'The service is stopping; plugins cannot be switched now.',
})
