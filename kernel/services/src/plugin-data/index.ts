/** What plugins have stored, known, erased, deleted and handed over without their code. */
export { type PluginCollection, PluginData, type PluginOverview, pluginDataToken } from './plugin-data.js'
export {
  createPluginDataDeletions,
  type DeletedData,
  type PluginDataDeletions,
  pluginDataDeletionsToken,
  pluginDataUnknownError,
  pluginDataUsedElsewhereError,
} from './plugin-data-deletions.js'
export { type PluginDataRecord, pluginDataCollections, pluginDataRecords } from './plugin-data-records.js'
export type { DataHolder } from './plugin-declarations.js'
export { createPluginRemains, type PluginRemains, pluginRemainsToken } from './plugin-remains.js'
export { createPluginSuccessions, type PluginSuccessions, pluginSuccessionsToken, type Successor } from './plugin-successions.js'
export { createShownOperations, type ShownCollection, type ShownOperations } from './shown-operations.js'
export { pluginMayBeInstalledError, unreadSourcesText } from './unread-sources.js'
