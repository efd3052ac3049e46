import { namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'

const names = Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), { minItems: 1 })
const adapterId = Type.String({ pattern: '^adapter_(alpha|beta|gamma|delta|epsilon|zeta|eta)$' })

const httpsUrl = Type.String({ pattern: '^https?://[^ ]+$' })

/** The members that both kinds of sign-in share. */
const signInMembers = {
  /** The endpoint that issues and refreshes tokens. */
  token_url: httpsUrl,
  /** A public client, without a secret. */
  client_id: Type.String({ minLength: 1 }),
  scopes: Type.Array(Type.String({ minLength: 1 })),
  /** The path in the token's claims to the account id, if the vendor requires it with each call. */
  account_id_claim: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  /** The protocols that serve an account; all of the brand if absent. The first is the default. */
  protocols: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
}

/** How people sign in with their account at a brand. */
export const signInSchema = Type.Union([
  /** RFC 8628: a code that a person enters on a page of the vendor. */
  Type.Object({ kind: Type.Literal('device'), device_url: httpsUrl, ...signInMembers }),
  /** RFC 7636: a page of the vendor in the browser, which redirects back. */
  Type.Object({
    kind: Type.Literal('browser'),
    authorization_url: httpsUrl,
    /** Parameters beyond the standard ones. */
    parameters: Type.Optional(Type.Record(Type.String(), Type.String())),
    /**
     * The only redirect address that the vendor allows, if it is not ours; the person then copies
     * the address.
     */
    redirect_url: Type.Optional(httpsUrl),
    ...signInMembers,
  }),
])

/** A built-in brand. The order of brands is the order of discovery. */
export const brandSchema = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,31}$' }),
  name: Type.String({ minLength: 1 }),
  /** Legacy handles. */
  aliases: Type.Optional(Type.Array(Type.String())),
  adapter: adapterId,
  /** The default. `{region}` stands for the region of a cloud platform. */
  base_url: Type.Optional(Type.String({ pattern: '^https?://[^ ]+[^/]$' })),
  /** There is no default: every customer has their own address. */
  requires_base_url: Type.Optional(Type.Boolean()),
  default_protocol: Type.String(),
  protocols: Type.Array(Type.String(), { minItems: 1 }),
  /**
   * The ways to authenticate a call; `aws` is the server's own credential chain. If `api_key` is
   * the only one, a key is required.
   */
  authentication: Type.Array(Type.Union([Type.Literal('api_key'), Type.Literal('aws'), Type.Literal('none')]), { minItems: 1 }),
  /** Whether groups of the brand accept the typed settings of their protocol. */
  typed_settings: Type.Boolean(),
  /** Variables that create a connection if set; the first one set is its key or address. */
  discovery: Type.Optional(Type.Object({ api_key: Type.Optional(names), base_url: Type.Optional(names) })),
  default_model: Type.Optional(Type.String({ minLength: 1 })),
  /** Absent if the brand takes keys only. */
  sign_in: Type.Optional(signInSchema),
  quirks: Type.Record(Type.String(), Type.Unknown()),
})

export const brandsFileSchema = Type.Object({ brands: Type.Array(brandSchema) })

const rates = {
  input: Type.Number({ minimum: 0 }),
  output: Type.Number({ minimum: 0 }),
  /** Input that came from the vendor's cache; the rate of `input` if absent. */
  cached_input: Type.Optional(Type.Number({ minimum: 0 })),
  /** Input that was written to the cache; the rate of `input` if absent. */
  cache_write: Type.Optional(Type.Number({ minimum: 0 })),
}

/** The price of a million tokens, in US dollars. */
export const priceSchema = namedObject('Price', {
  ...rates,
  /** Rates for prompts above a number of tokens; the highest bound that is exceeded applies. */
  tiers: Type.Optional(Type.Array(namedObject('PriceTier', { above_input_tokens: Type.Integer({ minimum: 1 }), ...rates }))),
})

const modelMembers = {
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Its protocol, if it is not the default of its brand. */
  protocol: Type.Optional(Type.String()),
  /** Display name. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  price: Type.Optional(priceSchema),
  /** Input types beside text. */
  input: Type.Optional(Type.Array(Type.String())),
  /** Abilities: `tools`, `reasoning`, `structured_output`. */
  abilities: Type.Optional(Type.Array(Type.String())),
}

const contextWindow = Type.Integer({ minimum: 1 })

/** A model in a snapshot. Limits are in tokens. */
export const modelSchema = Type.Object({ context_window: contextWindow, ...modelMembers })

const byBrandAndId = <Schema extends TSchema>(schema: Schema) => Type.Record(Type.String(), Type.Record(Type.String(), schema))

export const modelsFileSchema = Type.Object({
  /** The version of prices and limits, stored with every cost. Starts with a date. */
  version: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}' }),
  models: byBrandAndId(modelSchema),
})

/** Overrides of the snapshot: each member wins over the snapshot's, and models may be added. */
export const overridesFileSchema = Type.Object({
  /** The version of the overrides, appended to that of the snapshot. */
  version: Type.Optional(Type.String({ minLength: 1 })),
  models: byBrandAndId(Type.Object({ context_window: Type.Optional(contextWindow), ...modelMembers })),
})

/** A brand that is not built in but can be called like one. */
export const compatibleBrandSchema = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{1,63}$' }),
  name: Type.String({ minLength: 1 }),
  /** Address of its documentation. */
  documentation: Type.Optional(Type.String()),
  base_url: Type.Optional(Type.String({ pattern: '^https?://[^ ]+[^/]$' })),
  /** There is no default, as for a built-in brand. */
  requires_base_url: Type.Optional(Type.Boolean()),
  /** The pattern of a customer's address. */
  base_url_pattern: Type.Optional(Type.String()),
  /** The first is the default. May include protocols that no adapter speaks. */
  protocols: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  /** The ways to authenticate a call; one is enough. May include ways that no adapter supports. */
  authentication: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  /** The variable that usually holds its key. It is not used for discovery. */
  key_variable: Type.Optional(Type.String()),
})

export const compatibleBrandsFileSchema = Type.Object({ version: Type.String({ minLength: 1 }), brands: Type.Array(compatibleBrandSchema) })

/**
 * One family of request adapters. A custom brand names it as its `adapter`, by id or plain name.
 */
export const familySchema = Type.Object({
  id: adapterId,
  name: Type.String({ minLength: 1 }),
  default_protocol: Type.String(),
  /** The ways to authenticate that its adapter supports; only `api_key` if absent. */
  authentication: Type.Optional(Type.Array(Type.String())),
})

const paths = Type.Array(Type.String({ pattern: '^[A-Za-z_]+(\\.[A-Za-z_]+)*$' }))

/** One wire protocol. Paths are dotted paths in the native body of a request. */
export const protocolSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
  family: adapterId,
  /** Other spellings in `api` of a group. */
  aliases: Type.Array(Type.String()),
  /** Members that the service sets itself: `extra_params` may not set them. */
  protected: paths,
  /** Further members that the service sets in a call with a response schema. */
  protected_structured: paths,
  /** The protocol requires a limit for the tokens of an answer. */
  output_limit_required: Type.Optional(Type.Boolean()),
  /** The paths of typed settings in the body; settings that are not listed keep their own name. */
  native: Type.Record(Type.String(), paths),
})

export const protocolsFileSchema = Type.Object({ families: Type.Array(familySchema), protocols: Type.Array(protocolSchema) })

/**
 * Models of any brand that reason always and whose chat template opens the reasoning: without a
 * parser in its server their text has only the closing tag. Regular expressions for the id, without
 * distinction of case.
 */
export const inlineReasoningFileSchema = Type.Object({ models: Type.Array(Type.String({ minLength: 1 })) })

/**
 * Models of any brand that make vectors of texts and answer nothing. Regular expressions for the id,
 * without distinction of case. What the snapshot lists answers, whatever its name.
 */
export const embeddingModelsFileSchema = Type.Object({ models: Type.Array(Type.String({ minLength: 1 })) })

/** The files of the catalogue, by name without extension. */
export const catalogueFileSchemas = {
  brands: brandsFileSchema,
  models: modelsFileSchema,
  protocols: protocolsFileSchema,
} as const satisfies Readonly<Record<string, TSchema>>

/** Files that may be missing, as in a resources folder made for an earlier version. */
export const optionalCatalogueFileSchemas = {
  'model-overrides': overridesFileSchema,
  'compatible-brands': compatibleBrandsFileSchema,
  'inline-reasoning': inlineReasoningFileSchema,
  'embedding-models': embeddingModelsFileSchema,
} as const satisfies Readonly<Record<string, TSchema>>

type FilesOf<Schemas extends Readonly<Record<string, TSchema>>> = { readonly [Name in keyof Schemas]: Static<Schemas[Name]> }
export type CatalogueFiles = FilesOf<typeof catalogueFileSchemas> & Partial<FilesOf<typeof optionalCatalogueFileSchemas>>
export type ModelsFile = Static<typeof modelsFileSchema>
export type OverridesFile = Static<typeof overridesFileSchema>
export type CompatibleBrandsFile = Static<typeof compatibleBrandsFileSchema>
export type CompatibleBrandEntry = Static<typeof compatibleBrandSchema>
export type Brand = Static<typeof brandSchema>
export type SignInSettings = Static<typeof signInSchema>
export type Family = Static<typeof familySchema>
export type Protocol = Static<typeof protocolSchema>
export type ModelPrice = Static<typeof priceSchema>
/** A model of the snapshot. */
export type SnapshotModel = Static<typeof modelSchema>
/**
 * A model with the overrides applied. If it is only in the overrides, it may lack its context
 * window.
 */
export type CatalogueModel = OverridesFile['models'][string][string]
