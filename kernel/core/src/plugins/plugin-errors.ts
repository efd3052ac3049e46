import { defineError } from '@agent-service/sdk'

/** There is no plugin of this id. */
export const pluginUnknownError = defineError<{ readonly id: string }>({
  code: 'plugin_unknown',
  status: 404,
  title: 'Unknown plugin',
  message: ({ id }) => `There is no plugin “${id}”. GET /api/admin/plugins lists those that are installed.`,
})

/** The configuration decides about this plugin, so its switch cannot. */
export const pluginLockedError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'plugin_locked',
  status: 409,
  title: 'Plugin locked',
  message: ({ id, reason }) => `Plugin “${id}” cannot be enabled here: ${reason}. Change the configuration and restart the service.`,
})

/** Something that must run would stop with this plugin. `problems` has each of them with the reason. */
export const pluginInUseError = defineError<{ readonly id: string; readonly neededBy: readonly string[] }>({
  code: 'plugin_in_use',
  status: 409,
  title: 'Plugin in use',
  message: ({ id, neededBy }) => `Plugin “${id}” cannot be disabled while the service runs. Needed: ${neededBy.join('; ')}.`,
})

/** The plugin has a manifest and no code yet. */
export const notImplementedYetError = defineError<{ readonly id: string }>({
  code: 'not_implemented_yet',
  status: 409,
  title: 'Not implemented yet',
  message: ({ id }) => `Plugin “${id}” is declared only: its settings are known, its code does not exist yet.`,
})

/** The deployment cannot run without this plugin, and it is not active. */
export const pluginRequiredFailedError = defineError<{ readonly plugin: string; readonly neededFor: string; readonly reason: string }>({
  code: 'plugin_required_failed',
  status: 500,
  title: 'Required plugin failed',
  message: ({ plugin, neededFor, reason }) => `Plugin “${plugin}” is needed (${neededFor}) and not active: ${reason}`,
})

/** A service that was asked for is not there. */
export const serviceUnavailableError = defineError<{ readonly plugin: string; readonly service: string; readonly hint: string }>({
  code: 'service_unavailable',
  status: 500,
  title: 'Service unavailable',
  message: ({ plugin, service, hint }) => `Plugin “${plugin}” asked for the service “${service}”, which is not there: ${hint}`,
})

/** What a plugin contributed is not what the contract says. */
export const contributionInvalidError = defineError<{
  readonly plugin: string
  readonly point: string
  readonly key: string
  readonly reason: string
}>({
  code: 'contribution_invalid',
  status: 500,
  title: 'Contribution not valid',
  message: ({ point, key, reason }) => `its contribution “${key}” to ${point} is not valid: ${reason}`,
})

/** The code of a plugin is not what its `plugin.json` says. */
export const manifestMismatchError = defineError<{ readonly members: readonly string[] }>({
  code: 'manifest_mismatch',
  status: 500,
  title: 'Manifest mismatch',
  message: ({ members }) =>
    `the code and plugin.json differ in ${members.join(', ')}. Run the plugin's build again (agent-service-plugin build)`,
})

/** A plugin did not do in time, or did not do at all, what its start needs. */
export const pluginStartError = defineError<{ readonly reason: string }>({
  code: 'plugin_start_failed',
  status: 500,
  title: 'Plugin start failed',
  message: ({ reason }) => reason,
})

/** The host does not start or stop single plugins any more. */
export const hostStoppedError = defineError<Record<string, never>>({
  code: 'service_stopping',
  status: 503,
  title: 'Service stopping',
  message: () => 'The service is stopping; plugins cannot be switched now.',
})

/** A plugin that is off cannot be switched on, since the service would not start with it. It stays off. */
export const pluginConfigurationInvalidError = defineError<{ readonly id: string }>({
  code: 'plugin_configuration_invalid',
  status: 422,
  title: 'Configuration invalid for the plugin',
  message: ({ id }) =>
    `Plugin “${id}” stays off: the configuration does not hold by its rules; see errors for each path. Change the configuration, restart, and switch it on then.`,
})
