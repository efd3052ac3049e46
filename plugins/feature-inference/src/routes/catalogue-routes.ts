import { Type } from '@agent-service/sdk'
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

const tags = ['models']

const catalogueModel = Type.Object({
  brand: Type.String({ description: 'Id of the built-in brand.' }),
  id: Type.String({ description: 'As it stands in `model` of a group.' }),
  name: Type.Optional(Type.String()),
  context_window: Type.Optional(Type.Integer({ description: 'In tokens.' })),
  max_output_tokens: Type.Optional(Type.Integer({ description: 'In tokens.' })),
  protocol: Type.Optional(Type.String({ description: 'The protocol it takes, where that is not the default of its brand.' })),
  price: Type.Optional(priceSchema),
  input: Type.Array(Type.String(), { description: 'What it reads beside text.' }),
  abilities: Type.Array(Type.String(), { description: '`tools`, `reasoning`, `structured_output`.' }),
})

const catalogueBrand = Type.Object({
  id: Type.String({ description: 'As it stands in `provider` of a connection.' }),
  name: Type.String(),
  kind: Type.Union([Type.Literal('built_in'), Type.Literal('compatible')]),
  enabled: Type.Boolean({ description: 'Whether a connection of this brand can be called now.' }),
  reason: Type.Optional(Type.String({ description: 'Why it cannot.' })),
  adapter: Type.Optional(Type.String()),
  protocols: Type.Array(Type.String(), { description: 'The first is the default.' }),
  authentication: Type.Array(Type.String()),
  base_url: Type.Optional(Type.String({ description: 'The default.' })),
  requires_base_url: Type.Boolean({ description: 'There is no default: a connection must have one of its own.' }),
  base_url_pattern: Type.Optional(Type.String({ description: 'What the address of a customer looks like.' })),
  key_variables: Type.Array(Type.String(), { description: 'The variables that usually hold its key.' }),
  documentation: Type.Optional(Type.String()),
  default_model: Type.Optional(Type.String()),
})

const refreshed = Type.Object({
  version: Type.String({ description: 'The state of prices and limits from now on; kept with every cost.' }),
  models: Type.Integer({ description: 'How many models the list has.' }),
  brands: Type.Integer({ description: 'Of how many brands.' }),
})

/** `/api/catalogue` and its refresh: what is known of models and brands. */
export function createCatalogueRoutes(dependencies: {
  readonly catalogue: Catalogue
  readonly refresh: CatalogueRefresh
  /** The protocols of the adapters that are active, by the adapter's id. */
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
      description: 'Limits, prices in US dollars for a million tokens, and abilities. A model that is not listed can be used too.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: Type.Object({
        ...pageQuerySchema.properties,
        brand: Type.Optional(Type.String({ maxLength: 100, description: 'Only models of this brand.' })),
        query: Type.Optional(
          Type.String({ maxLength: 200, description: 'Only models whose id or name has every one of these words in it.' }),
        ),
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
      summary: 'Brands that connections can be of',
      description:
        'The built-in brands, and compatible ones: a connection takes address and protocol from its brand. One that no active adapter can speak to is not enabled, and is refused in the configuration unless the connection names adapter and base_url itself.',
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
        'Downloads limits, prices and abilities from the public list of models.dev. They are used at once and after a restart. Brands, addresses and the overrides of the installation stay as they are.',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'What is in use now.', schema: refreshed } },
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
