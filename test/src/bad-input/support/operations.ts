import type { JsonObject } from '@agent-service/sdk'
import { inlined } from '../../support/api-description.js'
import type { OwnResources } from './hostile-target.js'

/** One operation, as the service describes it. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With `{…}` for what is filled in. */
  readonly path: string
  readonly auth: string
  /** Any one of these a personal access token must have been given; none where nothing is asked. */
  readonly scopes: readonly string[]
  /** The kinds of agents, apps and MCP servers that may call for a person. */
  readonly actors: readonly string[]
  /** Operations that a call amounts to. */
  readonly includes: readonly string[]
  /** No token qualifies. */
  readonly session: boolean
  /** A plain request is asked to upgrade; whose things it is about shows in the WebSocket. */
  readonly webSocket: boolean
  /** Only for a session that has confirmed who it is. */
  readonly confirmed: boolean
  /** Message posts, uploads and model endpoints are `expensive`; they take larger bodies. */
  readonly rateClass: string | undefined
  readonly hasBody: boolean
  /** Of a JSON body. */
  readonly bodySchema: JsonObject | undefined
  readonly parameters: readonly Parameter[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: JsonObject
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

interface Described {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> }
  readonly parameters: readonly Parameter[]
  readonly 'x-auth': string
  readonly 'x-scope'?: string | readonly string[]
  readonly 'x-actors'?: readonly string[]
  readonly 'x-includes'?: readonly string[]
  readonly 'x-websocket'?: JsonObject
  readonly 'x-session'?: boolean
  readonly 'x-confirmed'?: boolean
  readonly 'x-rate-class'?: string
}

/** Every operation that the service answers at this moment. */
export async function readOperations(url: string): Promise<readonly Operation[]> {
  const answer = await fetch(`${url}/api/openapi.json`)
  const { paths, components } = (await answer.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> }
  }
  const inline = (schema: JsonObject): JsonObject => inlined(schema, components.schemas)
  return Object.entries(paths).flatMap(([path, entry]) =>
    Object.entries(entry)
      .filter(([method]) => methods.includes(method))
      .map(([method, described]) => {
        const { operationId, requestBody, parameters: declared, ...access } = described as Described
        const parameters = declared.map((parameter) => ({ ...parameter, schema: inline(parameter.schema) }))
        const body = requestBody?.content['application/json']
        return {
          ...{ id: operationId, method: method.toUpperCase(), path, parameters, auth: access['x-auth'], rateClass: access['x-rate-class'] },
          ...{ scopes: [access['x-scope'] ?? []].flat(), actors: access['x-actors'] ?? [], includes: access['x-includes'] ?? [] },
          ...{ session: access['x-session'] === true, confirmed: access['x-confirmed'] === true },
          webSocket: access['x-websocket'] !== undefined,
          hasBody: requestBody !== undefined,
          bodySchema: body && inline(body.schema),
        }
      }),
  )
}

/** Ids that do not exist here. */
const absent: Readonly<Record<string, string>> = {
  user_id: 'nobody',
  credential_id: 'nothing',
  sign_in_id: 'nothing',
  session_id: 'nothing',
  token_id: 'nothing',
  presign_id: 'nothing',
  process_id: 'nothing',
  policy_id: 'nothing',
  model_id: 'nothing',
  owner: 'nothing',
  model_name: 'nothing',
  number: '1',
  tool: 'get_time',
  call_id: 'nothing',
  summary_id: 'nothing',
  panel_id: 'nothing',
  group: 'nothing',
  identity_id: 'nothing',
  entry_id: 'nothing',
  backup_id: 'nothing',
  upload_id: 'nothing',
  import_id: 'nothing',
  task_id: 'nothing',
  notification_id: 'nothing',
  device_id: 'nothing',
  execution_id: 'nothing',
  share_id: 'nothing',
  grant_id: 'nothing',
  vault_id: 'nothing',
  connection_id: 'nothing',
  pairing_id: 'nothing',
  sender_id: 'nothing',
  delivery_id: 'nothing',
  key: 'nothing',
  rest: 'nothing',
  pass_id: 'nothing',
  prompt_id: 'nothing',
  request_id: 'nothing',
  invitation_id: 'nothing',
  revision_id: 'nothing',
  memory_id: 'nothing',
  token: 'nothing',
  id: 'nothing',
  source: 'user',
  name: 'nothing',
}

/** The path of an operation with ids. @throws for an unknown parameter. */
export function fillPath(path: string, things: OwnResources & Readonly<Record<string, string>>): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const id = things[name] ?? absent[name]
    if (id === undefined) throw new Error(`${path} has the parameter ${name}, which this test does not know. Give it a value.`)
    return id
  })
}

/** The path with unknown ids, whatever the names of its parameters. */
export const fillUnknownIds = (path: string): string => path.replace(/\{[^}]+\}/g, 'nobody')
