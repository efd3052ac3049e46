import { namedObject, Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  defineRoute,
  type HttpRoute,
  ok,
  type Principal,
  pageOfList,
  pageQuerySchema,
  pageSchema,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Catalogue } from '../catalogue/catalogue.js'
import { priceSchema } from '../catalogue/catalogue-schema.js'
import { type ListDependencies, type ListedOffer, listModelsOf } from '../probes/list-models.js'
import { probeConnection } from '../probes/probe-connection.js'
import { probeFailureKinds } from '../probes/probe-failure.js'
import { connectionSchema, type ViewDependencies, viewOf } from './connection-view.js'
import { type ConnectionDraft, connectionOfDraft, draftProperties } from './draft-connection.js'
import { permitDestination } from './secret-destination.js'

/** The prefix of the routes about connections. */
export const connectionsPath = '/api/admin/connections'
const tags = ['models']

/** Whether a model takes tools. */
export const toolsProperty = Type.Union([Type.Boolean(), Type.Null()], {
  description: 'False: the model takes no tools, so agents answer without them. Null: not known.',
})

/** Why something failed: a word for programs, and a sentence for people. */
export const failureProperties = {
  failure: Type.Union([...probeFailureKinds.map((kind) => Type.Literal(kind)), Type.Null()], { description: 'Null if it succeeded.' }),
  message: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed, in the words of the provider. No secret.' }),
}

const testSchema = namedObject('ConnectionTest', {
  ok: Type.Boolean(),
  ...failureProperties,
  model: Type.Union([Type.String(), Type.Null()], { description: 'The model that was called.' }),
  tools: toolsProperty,
  took_ms: Type.Integer(),
  checked_at: Type.String(),
})

const offeredModel = namedObject('OfferedModel', {
  id: Type.String({ description: 'As in `model` of a group.' }),
  name: Type.Union([Type.String(), Type.Null()]),
  context_window: Type.Union([Type.Integer(), Type.Null()], { description: 'In tokens.' }),
  max_output_tokens: Type.Union([Type.Integer(), Type.Null()], { description: 'In tokens.' }),
  price: Type.Union([priceSchema, Type.Null()]),
  input: Type.Array(Type.String(), { description: 'Input types beside text, as far as the catalogue knows them.' }),
  abilities: Type.Array(Type.String(), { description: '`tools`, `reasoning`, `structured_output`, as far as the catalogue knows them.' }),
  answers: Type.Union([Type.Boolean(), Type.Null()], { description: 'False: it does not answer in text. Null: not known.' }),
  tools: toolsProperty,
})

const offerSchema = namedObject('ModelOffer', {
  ok: Type.Boolean(),
  ...failureProperties,
  source: Type.Union([Type.Literal('provider'), Type.Literal('catalogue'), Type.Null()], { description: 'Who lists them.' }),
  models: Type.Array(offeredModel),
})

const adapterSchema = namedObject('ProviderAdapter', {
  id: Type.String({ description: 'As in `adapter` of a connection.' }),
  name: Type.String(),
  protocols: Type.Array(Type.String()),
  lists_models: Type.Boolean(),
  requires_base_url: Type.Boolean({ description: 'Of a connection to a custom brand.' }),
})

/** `/api/admin/connections`: the connections that run, testing them, and the models that they offer. */
export function createConnectionRoutes(
  dependencies: ListDependencies &
    ViewDependencies & { readonly audit: Pick<Audit, 'note'>; readonly clock: Pick<Clock, 'now' | 'monotonic'> },
): readonly HttpRoute[] {
  const { connections, contributions, catalogue, audit, clock } = dependencies
  const body = { kind: 'json', schema: Type.Object(draftProperties) } as const
  const errors = [sessionRequiredError, confirmationRequiredError]
  /** The connection of a draft whose stored secret, if it has one, may go where it leads. */
  const permitted = async (draft: ConnectionDraft, principal: Principal | undefined) => {
    const { connection, secret } = connectionOfDraft(draft, { connections, catalogue })
    if (secret) await permitDestination(secret, { principal, connection: connection.handle, audit })
    return connection
  }
  return [
    defineRoute({
      method: 'GET',
      path: connectionsPath,
      operationId: 'listProviderConnections',
      summary: 'List the connections to providers of models',
      description:
        'Those of the running configuration and those found in the environment. A saved change of the file shows after the next start.',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, the configured ones first.', schema: pageSchema(connectionSchema) } },
      async handle({ query }) {
        const page = pageOfList([...connections.configured, ...connections.discovered], ({ handle }) => handle, query)
        return ok({
          items: await Promise.all(page.items.map((connection) => viewOf(connection, dependencies))),
          next_cursor: page.next_cursor,
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${connectionsPath}/adapters`,
      operationId: 'listProviderAdapters',
      summary: 'List the adapters that active plugins contribute',
      description: 'A connection to a custom brand names one of them.',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, by id.', schema: pageSchema(adapterSchema) } },
      handle({ query }) {
        const listed = [...contributions.list(providerAdapters)].sort((one, other) => one.key.localeCompare(other.key))
        const page = pageOfList(listed, ({ key }) => key, query)
        return Promise.resolve(
          ok({
            items: page.items.map(({ key, value }) => ({
              id: key,
              name: value.name,
              protocols: value.protocols.map(({ id }) => id),
              lists_models: value.supports.listModels === true,
              requires_base_url: requiresAddress(key, catalogue),
            })),
            next_cursor: page.next_cursor,
          }),
        )
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${connectionsPath}/test`,
      operationId: 'testConnection',
      summary: 'Test a connection before or after it is saved',
      description:
        'Asks for its models where that is possible, then makes the smallest call of one, and one with a tool unless it is known whether it takes tools, which costs a few tokens. Stores nothing. Responds within about a minute and a half. ' +
        ownOrigin,
      tags,
      auth: 'admin',
      rateClass: 'expensive',
      body: {
        kind: 'json',
        schema: Type.Object({
          ...draftProperties,
          model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Default: one that the provider offers.' })),
          api: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The protocol. Default: that of the connection.' })),
        }),
      },
      errors,
      answers: { 200: { description: 'Whether a model answered.', schema: testSchema } },
      async handle({ body: given, principal, signal }) {
        const { model, api, ...draft } = given
        const connection = await permitted(draft, principal)
        const startedAt = clock.monotonic()
        const probe = await probeConnection(connection, { model, protocol: api }, dependencies, signal)
        await audit.note({
          kind: 'connection.tested',
          details: { connection: connection.handle, brand: connection.brandName, ok: probe.failure === undefined },
        })
        return ok({
          ok: probe.failure === undefined,
          failure: probe.failure?.kind ?? null,
          message: probe.failure?.message ?? null,
          model: probe.model ?? null,
          tools: probe.tools ?? null,
          took_ms: Math.round(clock.monotonic() - startedAt),
          checked_at: new Date(clock.now()).toISOString(),
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${connectionsPath}/models`,
      operationId: 'listModelsOfConnection',
      changes: false,
      summary: 'List the models that a provider offers to a connection',
      description: `Before or after the connection is saved. The catalogue stands in for providers that list none. ${ownOrigin}`,
      tags,
      auth: 'admin',
      body,
      errors,
      answers: { 200: { description: 'The models in the order of the provider, or why there are none.', schema: offerSchema } },
      async handle({ body: draft, principal, signal }) {
        const offer = await listModelsOf(await permitted(draft, principal), dependencies, signal)
        if ('failure' in offer)
          return ok({ ok: false, failure: offer.failure.kind, message: offer.failure.message, source: null, models: [] })
        return ok({ ok: true, failure: null, message: null, source: offer.source, models: offer.models.map(presentModel) })
      },
    }),
  ]
}

const ownOrigin =
  'A stored key, a managed credential or what this machine knows of a cloud platform goes only to the origin that it was stored for; to another one in a confirmed session alone, with both in the audit log.'

const requiresAddress = (adapter: string, catalogue: Catalogue): boolean =>
  adapter !== 'adapter_zeta' && catalogue.family(adapter) !== undefined

const presentModel = ({ id, name, contextWindow, maxOutputTokens, answers, tools, known }: ListedOffer) => ({
  id,
  name: name ?? known?.name ?? null,
  context_window: contextWindow ?? known?.context_window ?? null,
  max_output_tokens: maxOutputTokens ?? known?.max_output_tokens ?? null,
  price: known?.price ?? null,
  input: [...(known?.input ?? [])],
  abilities: [...(known?.abilities ?? [])],
  answers: answers ?? (known ? true : null),
  tools: tools ?? known?.abilities?.includes('tools') ?? null,
})
