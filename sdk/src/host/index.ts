/**
 * For hosts of plugins: scopes, manifest checks and the errors with which a plugin is refused.
 * Authors write against `@agent-service/sdk`.
 *
 * @packageDocumentation
 */

export * from '../admission/index.js'
export * from '../core/disposable-scope.js'
export { guardProcess, processNotItsOwnError } from '../core/guard-process.js'
export { messageOf } from '../core/message-of.js'
export * from '../core/nearest.js'
export {
  duplicateContributionError,
  pluginArgumentError,
  pluginSetupOverError,
  pluginUndeclaredError,
  serviceProvidedTwiceError,
} from '../core/plugin-errors.js'
export { serviceFor } from '../core/service-per-plugin.js'
export * from '../core/stopping-hooks.js'
export * from '../manifest/check-manifest.js'
export * from '../manifest/compare-manifests.js'
export { manifestFileSchema, maxManifestBytes, pluginIdPattern } from '../manifest/manifest-schema.js'
export * from '../manifest/portable-schema.js'
export { isPlugin } from '../plugin/define-plugin.js'
