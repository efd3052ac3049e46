import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, listAll, objectOf, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'

/** The id of an agent by its handle. Undefined if the person has none. */
export async function agentIdOf(request: CommandContext['request'], handle: string): Promise<string | undefined> {
  const agent = (await listAll(request, '/api/agents')).items.find((each) => each['handle'] === handle)
  return agent === undefined ? undefined : textOf(agent['id'])
}

/** Titles of the columns of {@link rowOf}. */
export const columns = ['ID', 'CHANGED', 'KIND', 'IN', 'TEXT'] as const

/** A memory as a row of a table. */
export function rowOf({ id, updated_at: changedAt, kind, scope, title, text, pinned }: JsonObject): readonly string[] {
  const { kind: where } = objectOf(scope)
  const head = textOf(title) === '' ? '' : `${textOf(title)}: `
  return [textOf(id), shownTime(changedAt), textOf(kind), textOf(where), `${pinned === true ? '* ' : ''}${head}${textOf(text)}`]
}
