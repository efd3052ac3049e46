import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a person with an agent needs: accounts by policy, files, models, chats and runs. */
const always: readonly string[] = [
  ...['database-lowdb', 'database-sqlite', 'policy-cedar', 'provider-openai'],
  ...['feature-agents', 'feature-credentials', 'feature-files', 'feature-inference'],
]

/**
 * The environment of a service with the plugins that agents need and these, and no other: it is ready
 * in two thirds of the processor time. For tests of what a process does that is killed and started
 * again and again, to which no other plugin matters.
 */
export function fewPlugins(...further: readonly string[]): Readonly<Record<string, string>> {
  const kept = new Set([...always, ...further])
  const all = readdirSync(fileURLToPath(new URL('../../../plugins', import.meta.url)))
  return { SERVICE_PLUGINS_DISABLED: JSON.stringify(all.filter((name) => !kept.has(name))) }
}

/** Tasks of agents. */
export const taskPlugins: readonly string[] = ['cli-tasks', 'feature-notifications', 'feature-skills', 'feature-tasks']

/** Where programs of agents run. */
export const sandboxPlugins: readonly string[] = ['feature-sandbox', 'sandbox-linux', 'sandbox-macos']
