import { readAll } from '@agent-service/sdk/web'
import { api } from '../../api/index.js'

/**
 * What an agent that a person makes can do from the start: read and write its files, read the web,
 * remember, remind and plan. What runs programs, shares or deletes is added by hand.
 */
const wanted = [
  'get_time',
  'ask_user',
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
  'send_file',
  'read_result',
  'web_search',
  'web_fetch',
  'create_task',
  'list_tasks',
  'change_task',
  'cancel_task',
  'remind_me',
  'remember',
  'memory_search',
  'forget',
] as const

/** What a new agent begins with. */
export const newAgentTools = (): Promise<string[]> => presentTools(wanted)

/** Those of the tools that this service has, so that no agent begins with warnings. */
export async function presentTools(names: readonly string[]): Promise<string[]> {
  const all = await readAll((cursor) => api.get('/api/tools', { query: { limit: 200, ...(cursor !== undefined && { cursor }) } }))
  const there = new Set(all.map(({ name }) => name))
  return names.filter((name) => there.has(name))
}
