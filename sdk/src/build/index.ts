/**
 * What the tools for authors do, for programs that offer them under commands of their own. A plugin
 * imports nothing of this.
 *
 * @packageDocumentation
 */

export { type ValidatedPlugin, validatePlugin } from './build-plugin.js'
export * from './common/build-errors.js'
export * from './examine-plugin.js'
export * from './init/init-plugin.js'
export { type PluginKind, pluginKinds } from './init/project-files.js'
export type { SetupTrial } from './try-setup.js'
export { type BuiltScreenFolder, buildScreens } from './web/build-screens.js'
export { compressFiles, compressText } from './web/compress-files.js'
export { findTextProblems } from './web/texts/find-text-problems.js'
export { createTextGroups, type TextGroupsPlugin } from './web/texts/text-groups.js'
