import { defineError } from '@agent-service/sdk'

/** A plugin cannot be switched on because the service would not start with it. It stays off. */
export const pluginConfigurationInvalidError = defineError<{ readonly id: string }>({
  code: 'plugin_configuration_invalid',
  status: 422,
  title: 'Configuration invalid for the plugin',
  message: ({ id }) =>
    `Plugin “${id}” stays off: the configuration violates its rules; see errors for each path. Change the configuration, restart, and then switch it on.`,
})
