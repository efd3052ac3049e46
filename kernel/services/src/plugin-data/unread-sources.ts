import type { UnreadSource } from '@agent-service/kernel-core/plugins'
import { defineError } from '@agent-service/sdk'

/** How many sources a line names. */
const maxSources = 3

/** Which sources cannot be read and why, and how to mend it: the second half of a sentence. */
export function unreadSourcesText(sources: readonly UnreadSource[]): string {
  const named = sources.slice(0, maxSources).map(({ source, reason }) => `“${source}” (${reason})`)
  const more = sources.length > maxSources ? `, and ${sources.length - maxSources} more` : ''
  return `plugins.sources lists what cannot be read: ${named.join(', ')}${more}. Mend or remove that entry, then restart the service`
}

/** A plugin that no readable source has may be in one that cannot be read. */
export const pluginMayBeInstalledError = defineError<{ readonly id: string; readonly sources: string }>({
  code: 'plugin_may_be_installed',
  status: 409,
  title: 'Plugin may be installed',
  message: ({ id, sources }) =>
    `Plugin “${id}” may still be installed, since ${sources}. To delete its data all the same, repeat the call with “despite_unread_sources=true” (agent-service plugins data delete ${id} --despite-unread-sources).`,
})
