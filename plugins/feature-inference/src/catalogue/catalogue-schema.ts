import { type Static, type TSchema, Type } from '@agent-service/sdk'

const names = Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), { minItems: 1 })
const adapterId = Type.String({ pattern: '^adapter_(alpha|beta|gamma|delta|epsilon|zeta|eta)$' })

/** What the catalogue knows of a brand. The order of brands is the order of discovery. */
export const brandSchema = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,31}$' }),
  name: Type.String({ minLength: 1 }),
  /** Handles of earlier days. */
  aliases: Type.Optional(Type.Array(Type.String())),
  adapter: adapterId,
  /** The default. `{region}` stands for the region of a cloud platform. */
  base_url: Type.Optional(Type.String({ pattern: '^https?://[^ ]+[^/]$' })),
  /** There can be no default: every customer has an address of their own. */
  requires_base_url: Type.Optional(Type.Boolean()),
  default_protocol: Type.String(),
  protocols: Type.Array(Type.String(), { minItems: 1 }),
  /** The ways to sign a call; `aws`: the server's own credential chain. Where `api_key` is the only one, a call without a key makes no sense. */
  authentication: Type.Array(Type.Union([Type.Literal('api_key'), Type.Literal('aws'), Type.Literal('none')]), { minItems: 1 }),
  /** Whether groups of the brand take the typed settings of their protocol. */
  typed_settings: Type.Boolean(),
  /** Variables whose presence makes a connection; the first that is set gives its key or its address. */
  discovery: Type.Optional(Type.Object({ api_key: Type.Optional(names), base_url: Type.Optional(names) })),
  default_model: Type.Optional(Type.String({ minLength: 1 })),
  quirks: Type.Record(Type.String(), Type.Unknown()),
})

export const brandsFileSchema = Type.Object({ brands: Type.Array(brandSchema) })

const rates = {
  input: Type.Number({ minimum: 0 }),
  output: Type.Number({ minimum: 0 }),
  /** Input that came from the vendor's cache; as `input` where absent. */
  cached_input: Type.Optional(Type.Number({ minimum: 0 })),
  /** Input that was written to it; as `input` where absent. */
  cache_write: Type.Optional(Type.Number({ minimum: 0 })),
}

/** What a million tokens cost, in US dollars. */
export const priceSchema = Type.Object({
  ...rates,
  /** Other rates for prompts of more than so many tokens; the highest bound that is exceeded holds. */
  tiers: Type.Optional(Type.Array(Type.Object({ above_input_tokens: Type.Integer({ minimum: 1 }), ...rates }))),
})

/** A model of a brand. Limits are in tokens. */
export const modelSchema = Type.Object({
  context_window: Type.Integer({ minimum: 1 }),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The protocol it takes, where that is not the default of its brand. */
  protocol: Type.Optional(Type.String()),
  /** For people. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  price: Type.Optional(priceSchema),
  /** What it reads beside text. */
  input: Type.Optional(Type.Array(Type.String())),
  /** What it can do: `tools`, `reasoning`, `structured_output`. */
  abilities: Type.Optional(Type.Array(Type.String())),
})

export const modelsFileSchema = Type.Object({
  /** Names the state of prices and limits; kept with every cost. */
  version: Type.String({ minLength: 1 }),
  models: Type.Record(Type.String(), Type.Record(Type.String(), modelSchema)),
})

/** One family of request adapters: what a custom brand names as its `adapter`, by its id or its plain name. */
export const familySchema = Type.Object({ id: adapterId, name: Type.String({ minLength: 1 }), default_protocol: Type.String() })

const paths = Type.Array(Type.String({ pattern: '^[A-Za-z_]+(\\.[A-Za-z_]+)*$' }))

/** One wire protocol. Paths are dotted and go through the native body of a request. */
export const protocolSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  family: adapterId,
  /** Other spellings of it as `api` of a group. */
  aliases: Type.Array(Type.String()),
  /** What the service owns: `extra_params` may not touch it. */
  protected: paths,
  /** What the service owns too in a call that asks for an answer by a schema. */
  protected_structured: paths,
  /** The wire demands a limit for the tokens of an answer. */
  output_limit_required: Type.Optional(Type.Boolean()),
  /** Where typed settings stand in the body; those that are not listed stand under their own name. */
  native: Type.Record(Type.String(), paths),
})

export const protocolsFileSchema = Type.Object({ families: Type.Array(familySchema), protocols: Type.Array(protocolSchema) })

/** The files of the catalogue by their names without ending. */
export const catalogueFileSchemas = {
  brands: brandsFileSchema,
  models: modelsFileSchema,
  protocols: protocolsFileSchema,
} as const satisfies Readonly<Record<string, TSchema>>

export type CatalogueFiles = { readonly [Name in keyof typeof catalogueFileSchemas]: Static<(typeof catalogueFileSchemas)[Name]> }
export type Brand = Static<typeof brandSchema>
export type Family = Static<typeof familySchema>
export type Protocol = Static<typeof protocolSchema>
export type ModelPrice = Static<typeof priceSchema>
export type CatalogueModel = Static<typeof modelSchema>
