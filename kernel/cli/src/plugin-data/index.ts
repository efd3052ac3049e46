/** What plugins that do not run have stored: its routes, and the reminder of it. */
export { type AbsentState, goneDataLines, type IdleDataSources, stateOfAbsent } from './idle-plugin-data.js'
export { createPluginDataRoutes } from './plugin-data-routes.js'
