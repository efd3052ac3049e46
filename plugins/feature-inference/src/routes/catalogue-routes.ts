import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import { type BrandView, listBrands } from '../catalogue/brand-views.js'
import type { Catalogue, ListedModel } from '../catalogue/catalogue.js'
import { priceSchema } from '../catalogue/catalogue-schema.js'
import type { CatalogueRefresh } from '../catalogue/refresh/catalogue-refresh.js'
import { catalogueRefreshError } from '../common/errors.js'

const tags = ['models']

const catalogueModel = namedObject('CatalogueModel', {
  brand: Type.String({ description: 'Id of the built-in brand.' }),
  id: Type.String({ description: 'As in `model` of a group.' }),
  name: Type.Optional(Type.String()),
  context_window: Type.Optional(Type.Integer({ description: 'In tokens.' })),
  max_output_tokens: Type.Optional(Type.Integer({ description: 'In tokens.' })),
  protocol: Type.Optional(Type.String({ description: 'Its protocol, if it is not the default of its brand.' })),
  price: Type.Optional(priceSchema),
  input: Type.Array(Type.String(), { description: 'Input types beside text.' }),
  abilities: Type.Array(Type.String(), { description: '`tools`, `reasoning`, `structured_output`.' }),
})

const catalogueBrand = namedObject('CatalogueBrand', {
  id: Type.String({ description: 'As in `provider` of a connection.' }),
  name: Type.String(),
  kind: Type.Union([Type.Literal('built_in'), Type.Literal('compatible')]),
  enabled: Type.Boolean({ description: 'Whether a connection of this brand can be called now.' }),
  reason: Type.Optional(Type.String({ description: 'Why it cannot be called.' })),
  adapter: Type.Optional(Type.String()),
  protocols: Type.Array(Type.String(), { description: 'The first is the default.' }),
  authentication: Type.Array(Type.String()),
  sign_in: Type.Optional(
    Type.Union([Type.Literal('device'), Type.Literal('browser')], {
      description: 'How an administrator can sign in with an account instead of a key.',
    }),
  ),
  base_url: Type.Optional(Type.String({ description: 'The default.' })),
  requires_base_url: Type.Boolean({ description: 'There is no default: a connection must set its own.' }),
  base_url_pattern: Type.Optional(Type.String({ description: "The pattern of a customer's address." })),
  key_variables: Type.Array(Type.String(), { description: 'The variables that usually hold its key.' }),
  documentation: Type.Optional(Type.String()),
  default_model: Type.Optional(Type.String()),
})

const refreshed = namedObject('CatalogueVersion', {
  version: Type.String({ description: 'The version of prices and limits from now on, stored with every cost.' }),
  models: Type.Integer({ description: 'Number of models in the list.' }),
  brands: Type.Integer({ description: 'Number of brands in the list.' }),
})

/** `/api/catalogue` and its refresh: the known models and brands. */
export function createCatalogueRoutes(dependencies: {
  readonly catalogue: Catalogue
  readonly refresh: CatalogueRefresh
  /** The protocols of the active adapters, by adapter id. */
  readonly activeProtocols: () => ReadonlyMap<string, readonly string[]>
  readonly audit: Pick<Audit, 'note'>
}): readonly HttpRoute[] {
  const { catalogue, refresh, activeProtocols, audit } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/catalogue/models',
      operationId: 'listCatalogueModels',
      summary: 'Search the models of the catalogue',
      description: 'Limits, prices in US dollars per million tokens, and abilities. Models that are not listed can be used too.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: Type.Object({
        ...pageQuerySchema.properties,
        brand: Type.Optional(Type.String({ maxLength: 100, description: 'Only models of this brand.' })),
        query: Type.Optional(Type.String({ maxLength: 200, description: 'Only models whose id or name contains all of these words.' })),
      }),
      answers: { 200: { description: 'One page, by brand and id.', schema: pageSchema(catalogueModel) } },
      handle({ query }) {
        const found = catalogue.models().filter(matching(catalogue, query))
        const page = pageOfList(found, ({ brand, id }) => `${brand} ${id}`, query)
        return Promise.resolve(ok({ items: page.items.map(presentModel), next_cursor: page.next_cursor }))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/catalogue/brands',
      operationId: 'listCatalogueBrands',
      summary: 'List the brands for connections',
      description:
        'Built-in and compatible brands. A connection takes address and protocol from its brand. A brand that no active adapter can call is not enabled. The configuration refuses it unless the connection sets adapter and base_url itself.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, the built-in brands first.', schema: pageSchema(catalogueBrand) } },
      handle({ query }) {
        const page = pageOfList(listBrands(catalogue, activeProtocols()), ({ id }) => id, query)
        return Promise.resolve(ok({ items: page.items.map(presentBrand), next_cursor: page.next_cursor }))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/catalogue/refresh',
      operationId: 'refreshCatalogue',
      summary: 'Refresh the catalogue of models',
      description:
        'Downloads limits, prices and abilities from the public list of models.dev. They apply at once and after a restart. Brands, addresses and the overrides of the installation do not change.',
      tags,
      auth: 'admin',
      errors: [catalogueRefreshError],
      answers: { 200: { description: 'The catalogue that is in use now.', schema: refreshed } },
      async handle() {
        const before = { version: catalogue.version }
        const result = await refresh.refresh()
        await audit.note({ kind: 'catalogue.refreshed', before, after: { ...result } })
        return ok({ ...result })
      },
    }),
  ]
}

function matching(
  catalogue: Catalogue,
  { brand, query = '' }: { readonly brand?: string; readonly query?: string },
): (listed: ListedModel) => boolean {
  const wanted = brand === undefined ? undefined : (catalogue.brand(brand)?.id ?? brand)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ brand: of, id, model }) => {
    if (wanted !== undefined && of !== wanted) return false
    const text = `${id} ${model.name ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

const presentModel = ({ brand, id, model }: ListedModel) => ({
  brand,
  id,
  ...model,
  input: model.input ?? [],
  abilities: model.abilities ?? [],
})

const presentBrand = ({ ...view }: BrandView) => ({
  ...view,
  protocols: [...view.protocols],
  authentication: [...view.authentication],
  key_variables: [...view.key_variables],
})
