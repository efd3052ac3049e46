import { createApi, createQueries } from '@agent-service/sdk/web'

/** Something that the person counts. */
export interface Counter {
  readonly id: string
  readonly name: string
  readonly count: number
}

interface Json<Content> {
  readonly content: { readonly 'application/json': Content }
}

interface OfCounter {
  readonly parameters: { readonly path: { readonly counter_id: string } }
}

/** The plugin's own routes, in the form in which `openapi-typescript` writes them. */
export interface Paths {
  readonly '/api/plugins/panel-tally/counters': {
    readonly get: {
      readonly parameters: { readonly query?: { readonly limit?: number; readonly cursor?: string } }
      readonly responses: { readonly 200: Json<{ readonly items: readonly Counter[]; readonly next_cursor: string | null }> }
    }
    readonly post: { readonly requestBody: Json<{ readonly name: string }>; readonly responses: { readonly 201: Json<Counter> } }
  }
  readonly '/api/plugins/panel-tally/counters/{counter_id}': {
    readonly patch: OfCounter & {
      readonly requestBody: Json<{ readonly name: string }>
      readonly responses: { readonly 200: Json<Counter> }
    }
    readonly delete: OfCounter & { readonly responses: { readonly 204: object } }
  }
  readonly '/api/plugins/panel-tally/counters/{counter_id}/count': {
    readonly post: OfCounter & { readonly responses: { readonly 200: Json<Counter> } }
  }
}

export const api = createApi<Paths>()

/** What is read here. No event tells of it. */
export const { sharedQuery } = createQueries()
