import type { Method, AnswerOf as SomeAnswerOf, RequestOf as SomeRequestOf } from './operations.js'
import type { components, paths } from './schema.js'

export type { Method } from './operations.js'

/** The schemas of the OpenAPI document by name: `Schemas['Chat']`. */
export type Schemas = components['schemas']

/** What a request of the console is made of: the path's parameters, the query and the body. */
export type RequestOf<M extends Method, P extends keyof paths> = SomeRequestOf<paths, M, P>

/** The JSON of a successful answer to the console. */
export type AnswerOf<M extends Method, P extends keyof paths> = SomeAnswerOf<paths, M, P>
