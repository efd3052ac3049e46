import { type Static, type TSchema, Type } from '@agent-service/sdk'

const names = Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), { minItems: 1 })
const adapterId = Type.String({ pattern: '^adapter_(alpha|beta|gamma|delta|epsilon|zeta|eta)$' })

const httpsUrl = Type.String({ pattern: '^https?://[^ ]+$' })

/** What both ways to sign in with an account have. */
const signInMembers = {
  /** Where tokens are given and refreshed. */
  token_url: httpsUrl,
  /** A public client's: there is no secret. */
  client_id: Type.String({ minLength: 1 }),
  scopes: Type.Array(Type.String({ minLength: 1 })),
  /** The way through the claims of the token to the id of the account, where the vendor wants it with each call. */
  account_id_claim: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  /** The protocols that serve an account; all of the brand where absent. The first is the default. */
  protocols: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
}

/** How people sign in with their account at a brand. */
export const signInSchema = Type.Union([
  /** RFC 8628: a code that a person enters on a page of the vendor. */
  Type.Object({ kind: Type.Literal('device'), device_url: httpsUrl, ...signInMembers }),
  /** RFC 7636: a page of the vendor in the browser, which sends the person back. */
  Type.Object({
    kind: Type.Literal('browser'),
    authorization_url: httpsUrl,
    /** Beside those of the standard. */
    parameters: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The only address that the vendor sends people back to, where it is not ours: then a person brings the address along. */
    redirect_url: Type.Optional(httpsUrl),
    ...signInMembers,
  }),
])

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
  /** Absent: there are keys alone. */
  sign_in: Type.Optional(signInSchema),
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

const modelMembers = {
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
}

const contextWindow = Type.Integer({ minimum: 1 })

/** A model of a brand as a snapshot has it. Limits are in tokens. */
export const modelSchema = Type.Object({ context_window: contextWindow, ...modelMembers })

const byBrandAndId = <Schema extends TSchema>(schema: Schema) => Type.Record(Type.String(), Type.Record(Type.String(), schema))

export const modelsFileSchema = Type.Object({
  /** Names the state of prices and limits; kept with every cost. Begins with a date. */
  version: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}' }),
  models: byBrandAndId(modelSchema),
})

/** What is known beside the snapshot: each member wins over that of the snapshot, and models may be there that no snapshot has. */
export const overridesFileSchema = Type.Object({
  /** Names the state of the overrides, where one is wanted beside that of the snapshot. */
  version: Type.Optional(Type.String({ minLength: 1 })),
  models: byBrandAndId(Type.Object({ context_window: Type.Optional(contextWindow), ...modelMembers })),
})

/** A brand that is not built in and may be spoken to like one that is. */
export const compatibleBrandSchema = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{1,63}$' }),
  name: Type.String({ minLength: 1 }),
  /** Address of its documentation. */
  documentation: Type.Optional(Type.String()),
  base_url: Type.Optional(Type.String({ pattern: '^https?://[^ ]+[^/]$' })),
  /** There can be no default, as with a built-in brand. */
  requires_base_url: Type.Optional(Type.Boolean()),
  /** What the address of a customer looks like. */
  base_url_pattern: Type.Optional(Type.String()),
  /** The first is the default. May be protocols that nothing here speaks. */
  protocols: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  /** The ways to sign a call, one of which is enough. May be ways that no adapter has. */
  authentication: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  /** The variable that usually holds its key; it is not discovered by it. */
  key_variable: Type.Optional(Type.String()),
})

export const compatibleBrandsFileSchema = Type.Object({ version: Type.String({ minLength: 1 }), brands: Type.Array(compatibleBrandSchema) })

/** One family of request adapters: what a custom brand names as its `adapter`, by its id or its plain name. */
export const familySchema = Type.Object({
  id: adapterId,
  name: Type.String({ minLength: 1 }),
  default_protocol: Type.String(),
  /** The ways to sign a call that its adapter has; `api_key` alone where absent. */
  authentication: Type.Optional(Type.Array(Type.String())),
})

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

/** Files that may be absent: a folder of resources that an operator made for an earlier version has none of them. */
export const optionalCatalogueFileSchemas = {
  'model-overrides': overridesFileSchema,
  'compatible-brands': compatibleBrandsFileSchema,
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
/** A model as the snapshot has it. */
export type SnapshotModel = Static<typeof modelSchema>
/** A model with the overrides; one that only they have may lack its context window. */
export type CatalogueModel = OverridesFile['models'][string][string]
