import { type Problem, validate } from '@agent-service/sdk'
import { type HttpRoute, invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { convertParams, convertQuery } from './query-values.js'

/** The path's parameters and the query, converted and valid. */
export interface RequestValues {
  readonly params: unknown
  readonly query: unknown
}

/** Converts and checks what a request's path and query say. @throws `invalid_request` with every problem. */
export function readValues(
  route: Pick<HttpRoute, 'params' | 'query'>,
  params: Readonly<Record<string, string>>,
  pairs: readonly (readonly [string, string])[],
): RequestValues {
  const convertedParams = convertParams(route.params, params)
  refuseProblems('params', route.params ? validate(route.params, convertedParams) : [])
  const query = convertQuery(route.query, pairs)
  const doubtful = new Set(query.problems.map(({ path }) => path))
  const invalid = route.query ? validate(route.query, query.values).filter(({ path }) => !doubtful.has(path)) : []
  refuseProblems('query', [...query.problems, ...invalid])
  return { params: convertedParams, query: query.values }
}

/** @throws `invalid_request` when there are problems. */
export function refuseProblems(where: 'params' | 'query' | 'body', problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidRequestError.create({ where }, { problems: problems.slice(0, 20) })
}
