/**
 * What the operations of an OpenAPI document take and answer. `Paths` are the paths as `openapi-typescript` writes them:
 * each area of the API has its own.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have a method. */
export type PathOf<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends { readonly [K in M]: unknown } ? P : never
}[keyof Paths] &
  string

type OperationOf<Paths, M extends Method, P extends keyof Paths> = Paths[P] extends { readonly [K in M]: infer Operation }
  ? Operation
  : never

type ParametersOf<Operation, Kind extends 'path' | 'query'> = Operation extends { parameters: { [K in Kind]?: infer Value } }
  ? Exclude<Value, undefined>
  : never

type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? Exclude<Body, undefined> : never

type JsonBodyOf<Operation> = [BodyOf<Operation>] extends [never]
  ? never
  : BodyOf<Operation> extends { content: { 'application/json': infer Json } }
    ? Json
    : Blob | ArrayBuffer

type Needed<Name extends string, Value> = [Value] extends [never] ? object : { readonly [K in Name]: Value }
type Possible<Name extends string, Value> = [Value] extends [never] ? object : { readonly [K in Name]?: Value }

/** What a request is made of: the path's parameters, the query and the body of its operation. */
export type RequestOf<Paths, M extends Method, P extends keyof Paths> = Needed<'path', ParametersOf<OperationOf<Paths, M, P>, 'path'>> &
  Possible<'query', ParametersOf<OperationOf<Paths, M, P>, 'query'>> &
  Needed<'body', JsonBodyOf<OperationOf<Paths, M, P>>> & {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    /** Repeats are answered with the first answer; keep it over retries. */
    readonly idempotencyKey?: string
  }

type SuccessOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : undefined

/** Never: the operation has no such answer, but 204, as most that delete. */
type JsonOf<Answer> = [Answer] extends [never]
  ? undefined
  : Answer extends { content: { 'application/json': infer Json } }
    ? Json
    : undefined

/** The JSON of a successful answer; `undefined` for one without a body. */
export type AnswerOf<Paths, M extends Method, P extends keyof Paths> = SuccessOf<OperationOf<Paths, M, P>>
