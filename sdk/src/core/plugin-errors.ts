import { defineError } from './errors.js'

/**
 * Thrown by `setup` when something that the plugin needs is temporarily unavailable: a server that
 * does not answer, a device that is off. The kernel starts the plugin again, after `retryAfterMs`
 * or with growing delays. `reason` is one sentence without secrets, for a person.
 */
export const pluginNotReadyError = defineError<{ readonly reason: string; readonly retryAfterMs?: number }>({
  code: 'plugin_not_ready',
  status: 503,
  title: 'Plugin not ready',
  message: ({ reason }) => `The plugin is not ready: ${reason}`,
})

/** A plugin used something that its manifest does not list. */
export const pluginUndeclaredError = defineError<{
  readonly plugin: string
  readonly action: 'contribute' | 'provide' | 'use'
  readonly id: string
  readonly list: 'contributes' | 'provides' | 'requires' | 'optional'
}>({
  code: 'plugin_undeclared',
  status: 500,
  title: 'Not declared in the manifest',
  message: ({ plugin, action, id, list }) =>
    `Plugin “${plugin}” called ${action}() for “${id}”, which its manifest does not list. Add "${id}" to “${list}” and run the build again.`,
})

/** Two contributions have the same key or claim the same name, or two plugins provide the same service. */
export const duplicateContributionError = defineError<{
  readonly point: string
  readonly key: string
  readonly plugin: string
  readonly owner: string
  /** The part of the key that the owner has for itself; absent if that is the key. */
  readonly word?: string
  /** The name beside the key that the owner has for itself, such as the path of a page. */
  readonly claim?: string
}>({
  code: 'duplicate_contribution',
  status: 500,
  title: 'Duplicate contribution',
  message: ({ point, key, plugin, owner, word, claim }) =>
    claim !== undefined
      ? claimedTwice({ point, key, plugin, owner, claim })
      : plugin === owner
        ? `Plugin “${plugin}” contributed “${key}” to ${point} twice.`
        : word !== undefined
          ? `Plugin “${plugin}” contributed “${key}” to ${point}, but plugin “${owner}” already has what begins with “${word}”. Disable one of the two, or use another first word, such as the id of the plugin.`
          : `Plugin “${plugin}” contributed “${key}” to ${point}, but plugin “${owner}” already has that key. Disable one of the two, or rename one.`,
})

function claimedTwice(names: {
  readonly point: string
  readonly key: string
  readonly plugin: string
  readonly owner: string
  readonly claim: string
}): string {
  const { point, key, plugin, owner, claim } = names
  const claimed = `“${claim}” for “${key}” of ${point}`
  return plugin === owner
    ? `Plugin “${plugin}” claims ${claimed}, which another of its contributions has.`
    : `Plugin “${plugin}” claims ${claimed}, but plugin “${owner}” already has that. Disable one of the two, or use another name.`
}

/** `contribute`, `provide`, `use` or `onStopping` was called when `setup` was over. */
export const pluginSetupOverError = defineError<{ readonly plugin: string; readonly action: string }>({
  code: 'plugin_setup_over',
  status: 500,
  title: 'Setup is over',
  message: ({ plugin, action }) =>
    `Plugin “${plugin}” called ${action}() after its setup had ended. Call it while setup runs, and await what setup starts.`,
})

/** A plugin provided one service twice. */
export const serviceProvidedTwiceError = defineError<{ readonly plugin: string; readonly service: string }>({
  code: 'service_provided_twice',
  status: 500,
  title: 'Service provided twice',
  message: ({ plugin, service }) =>
    `Plugin “${plugin}” provided the service “${service}” twice. Call context.provide once for each service.`,
})

/** A plugin passed something else to its context than the call takes. */
export const pluginArgumentError = defineError<{
  readonly plugin: string
  readonly action: string
  readonly given: string
  readonly expected: string
}>({
  code: 'plugin_argument_invalid',
  status: 500,
  title: 'Argument invalid',
  message: ({ plugin, action, given, expected }) => `Plugin “${plugin}” called ${action}() with ${given}. Pass ${expected}.`,
})
