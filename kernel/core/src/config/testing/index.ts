export { load, modelPlugins, plugin, temporaryFolder, writeSettled } from './configuration-fixture.js'
