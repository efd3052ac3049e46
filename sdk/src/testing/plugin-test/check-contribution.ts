import type { HttpRoute } from '../../contracts/http-route/index.js'
import { httpRoutes } from '../../contracts/http-route/index.js'
import { type ProviderAdapter, providerAdapters } from '../../contracts/provider-adapter/index.js'
import { type Tool, tools } from '../../contracts/tool/index.js'
import type { Problem } from '../../core/errors.js'
import { checkPortableSchema } from '../../manifest/portable-schema.js'

type Schemas = readonly (readonly [path: string, schema: unknown])[]

const schemasOf: ReadonlyMap<string, (contribution: unknown) => Schemas> = new Map([
  [tools.id, (tool) => [['/parameters', (tool as Tool).parameters]]],
  [
    providerAdapters.id,
    (adapter) => (adapter as ProviderAdapter).protocols.map(({ settings }, index) => [`/protocols/${index}/settings`, settings]),
  ],
  [httpRoutes.id, (route) => schemasOfRoute(route as HttpRoute)],
])

/** What the host would refuse about a contribution, each with a JSON pointer. Empty for a point that has no check. */
export function checkContribution(point: string, contribution: unknown): readonly Problem[] {
  return (schemasOf.get(point)?.(contribution) ?? []).flatMap(([path, schema]) => checkPortableSchema(schema, path))
}

function schemasOfRoute({ params, query, body, answers }: HttpRoute): Schemas {
  const given: Schemas = [
    ['/params', params],
    ['/query', query],
    ['/body/schema', body?.kind === 'json' ? body.schema : undefined],
    ...Object.entries(answers).map(([status, { schema }]) => [`/answers/${status}/schema`, schema] as const),
  ]
  return given.filter(([, schema]) => schema !== undefined)
}
