import type { Contribution, Problem } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { checkPortableSchema } from '@agent-service/sdk/host'
import { checkCommand } from './check-command.js'

/** Where contributions to a point carry schemas that others read as plain JSON. */
const schemasOf: ReadonlyMap<string, (contribution: Contribution) => readonly (readonly [string, unknown])[]> = new Map([
  ['tool', (contribution) => [['/parameters', (contribution as Tool).parameters]]],
  [
    'provider.adapter',
    (contribution) =>
      (contribution as ProviderAdapter).protocols.map((protocol, index) => [`/protocols/${index}/settings`, protocol.settings]),
  ],
  ['http.route', (contribution) => routeSchemas(contribution as HttpRoute)],
])

function routeSchemas(route: HttpRoute): readonly (readonly [string, unknown])[] {
  const body = route.body?.kind === 'json' ? [['/body/schema', route.body.schema] as const] : []
  const answers = Object.entries(route.answers).flatMap(([status, { schema }]) =>
    schema === undefined ? [] : [[`/answers/${status}/schema`, schema] as const],
  )
  const rest = [['/params', route.params] as const, ['/query', route.query] as const].filter(([, schema]) => schema !== undefined)
  return [...rest, ...body, ...answers]
}

/** Checks that the schemas of a contribution survive JSON, and that a command can be offered. Empty for what has neither. */
export function checkContribution(point: string, contribution: Contribution): readonly Problem[] {
  if (point === cliCommands.id) return checkCommand(contribution)
  return (schemasOf.get(point)?.(contribution) ?? []).flatMap(([path, schema]) => checkPortableSchema(schema, path))
}
