import type { AnswerOf, Method, PathOf, RequestOf } from '../api/operations.js'

/** The operations of an area by name: the method and the path as the OpenAPI document has it, `get /api/tasks/{task_id}`. */
export type OperationName<Paths> = { [M in Method]: `${M} ${PathOf<Paths, M>}` }[Method]

type MethodIn<Name extends string> = Name extends `${infer M extends Method} ${string}` ? M : never
type PathIn<Paths, Name extends string> = Name extends `${string} ${infer P extends keyof Paths & string}` ? P : never
type Of<Paths, Name extends string> = RequestOf<Paths, MethodIn<Name>, PathIn<Paths, Name>>

/** The strings in which values stand in an address. */
type Written<Value> = { readonly [K in keyof Value]: string }

type PathOfRequest<Request> = Request extends { readonly path: infer Value } ? Written<Value> : Readonly<Record<never, string>>
type QueryOfRequest<Request> = Request extends { readonly query?: infer Value }
  ? Partial<Written<Exclude<Value, undefined>>>
  : Readonly<Record<never, string>>
type BodyOfRequest<Request> = Request extends { readonly body: infer Value } ? Value : undefined

/** A request as it reached the service. */
export interface FakeRequest<Paths = unknown, Name extends string = string> {
  /** The name of the operation, or the method and the path if there is none: `post /api/tasks`. */
  readonly operation: Name
  /** The path with its query, as it was asked for: `/api/tasks/t1?limit=50`. */
  readonly address: string
  /** The parameters in the path, decoded. */
  readonly path: string extends Name ? Readonly<Record<string, string>> : PathOfRequest<Of<Paths, Name>>
  /** The parameters behind `?`, all as the strings that they are there; of one that stands there several times, the last. */
  readonly query: string extends Name ? Readonly<Record<string, string>> : QueryOfRequest<Of<Paths, Name>>
  /** JSON is parsed; anything else is what the client was given. */
  readonly body: string extends Name ? unknown : BodyOfRequest<Of<Paths, Name>>
  /** Those that the client sets, such as `if-match`. */
  readonly headers: Headers
}

/** Any other answer than the JSON of a success: what {@link problem}, {@link answer} and {@link offline} make. */
export interface FakeAnswer {
  /** Makes the response, anew for each request; throws as `fetch` does where none comes. */
  readonly respond: () => Response
}

/** The JSON of an operation's success. */
export type JsonOf<Paths, Name extends string> = AnswerOf<Paths, MethodIn<Name>, PathIn<Paths, Name>>

type Result<Paths, Name extends string> =
  | JsonOf<Paths, Name>
  | (JsonOf<Paths, Name> extends undefined ? void : never)
  | FakeAnswer
  | Response

/** Answers an operation. What it throws fails the test. */
export type Handler<Paths, Name extends string> = (request: FakeRequest<Paths, Name>) => Result<Paths, Name> | Promise<Result<Paths, Name>>

/** What the fake service answers, by the names of operations. */
export type Handlers<Paths> = { readonly [Name in OperationName<Paths>]?: Handler<Paths, Name> }
