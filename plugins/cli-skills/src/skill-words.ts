import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type CommandContext, listOf, objectOf } from '@agent-service/sdk/contracts/cli-command'

/** The options that say whose skills are meant. */
export const placeOptions = [
  { name: 'shared', description: 'the shared skills of the deployment, for administrators' },
  { name: 'agent', description: 'the skills of one of your agents alone, by its id', value: 'id' },
] as const

/** Where the skills of a command are, in the API. */
export interface Place {
  /** `/api/skills` or `/api/admin/skills`. */
  readonly prefix: string
  /** For bodies and queries. */
  readonly agent: { readonly agent_id?: string }
  /** The address of a skill that is to be changed. */
  changed(name: string, below?: string): string
  /** The address of a skill that is to be read. */
  read(name: string, below?: string): string
}

/** By the options `shared` and `agent`; without them, the person's own. */
export function placeOf(options: CommandContext['options']): Place {
  const shared = options['shared'] === true
  const agentId = typeof options['agent'] === 'string' ? options['agent'] : undefined
  const query = agentId === undefined ? '' : `?${new URLSearchParams({ agent_id: agentId })}`
  const source = shared ? 'shared' : agentId === undefined ? 'user' : 'agent'
  const prefix = shared ? '/api/admin/skills' : '/api/skills'
  const named = (start: string, name: string, below: string): string => `${start}/${encodeURIComponent(name)}${below}${query}`
  return {
    ...{ prefix, agent: agentId === undefined ? {} : { agent_id: agentId } },
    changed: (name, below = '') => named(shared ? prefix : `${prefix}/${source}`, name, below),
    read: (name, below = '') => named(`/api/skills/${source}`, name, below),
  }
}

/** Where a skill came from, in a few words. */
export function originOf(value: JsonValue | undefined): string {
  const { origin, from } = objectOf(value)
  return origin === undefined ? 'put there by hand' : `${String(origin)}${typeof from === 'string' ? ` ${from}` : ''}`
}

/** What the author of a skill should mend, one line each. */
export const warningsOf = (skill: JsonObject): readonly string[] => listOf(skill['warnings']).map(lineOf)

/** What keeps a skill from being used, at most one line. */
export const problemsOf = (skill: JsonObject): readonly string[] => {
  const problem = objectOf(skill['problem'])
  return problem['message'] === undefined ? [] : [lineOf(problem)]
}

const lineOf = ({ file, line, message }: JsonObject): string => `${String(file)}:${String(line)}: ${String(message)}`
