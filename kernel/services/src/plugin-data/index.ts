/** What plugins have stored, known and erased without their code. */
export { type DataHolder, PluginData, pluginDataToken } from './plugin-data.js'
export { type PluginDataRecord, pluginDataCollections, pluginDataRecords } from './plugin-data-records.js'
