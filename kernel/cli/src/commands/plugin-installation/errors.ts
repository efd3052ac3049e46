import { defineError } from '@agent-service/sdk'

/** A plugin cannot be installed. Nothing was changed. */
export const pluginNotInstallableError = defineError<{ readonly source: string; readonly reason: string }>({
  code: 'plugin_not_installable',
  status: 422,
  title: 'Plugin not installed',
  message: ({ source, reason }) => `“${source}” was not installed: ${reason}`,
})

/** No installed plugin has this id. */
export const pluginNotInstalledError = defineError<{ readonly id: string; readonly known: readonly string[] }>({
  code: 'plugin_not_installed',
  status: 404,
  title: 'Plugin not installed',
  message: ({ id, known }) =>
    `No installed plugin has the id “${id}”. ${known.length === 0 ? 'No plugins are installed.' : `Installed plugins: ${known.join(', ')}.`}`,
})

/** Another version was installed while a person was asked. Nothing was granted. */
export const pluginChangedError = defineError<{ readonly id: string }>({
  code: 'plugin_changed',
  status: 409,
  title: 'Plugin changed',
  message: ({ id }) =>
    `“${id}” was installed anew while you were asked, and may ask for something else now. Nothing was granted; run: agent-service plugins grant ${id}`,
})

/** npm failed. */
export const npmFailedError = defineError<{ readonly what: string; readonly reason: string }>({
  code: 'npm_failed',
  status: 500,
  title: 'npm failed',
  message: ({ what, reason }) => `npm could not ${what}: ${reason}`,
})

/** Another command is changing the installed plugins. Nothing was changed. */
export const installationBusyError = defineError<{ readonly folder: string; readonly waitedMs: number }>({
  code: 'plugin_installation_busy',
  status: 503,
  title: 'Installation of plugins busy',
  message: ({ folder, waitedMs }) =>
    `Another “agent-service plugins” command has been changing ${folder} for ${waitedMs} ms. Nothing was changed; try again when it has ended.`,
})
