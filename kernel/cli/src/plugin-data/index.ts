/** What plugins that do not run have stored: its routes, and the reminder of it. */
export { goneDataLines, type IdleDataSources } from './idle-plugin-data.js'
export { createPluginDataRoutes } from './plugin-data-routes.js'
