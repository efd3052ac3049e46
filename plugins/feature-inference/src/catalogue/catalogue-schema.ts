import { type Static, type TSchema, Type } from '@agent-service/sdk'

const names = Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), { minItems: 1 })

/** What the catalogue knows of a brand. The order of brands is the order of discovery. */
export const brandSchema = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,31}$' }),
  name: Type.String({ minLength: 1 }),
  aliases: Type.Optional(Type.Array(Type.String())),
  adapter: Type.String({ pattern: '^adapter_(alpha|beta|gamma|delta|epsilon|zeta|eta)$' }),
  base_url: Type.Optional(Type.String({ pattern: '^https?://[^ ]+[^/]$' })),
  default_protocol: Type.String(),
  protocols: Type.Array(Type.String(), { minItems: 1 }),
  /** A call without a key makes no sense. */
  requires_key: Type.Boolean(),
  /** Whether groups of the brand take the typed settings of their protocol. */
  typed_settings: Type.Boolean(),
  /** Variables whose presence makes a connection; the first that is set gives its key or its address. */
  discovery: Type.Optional(Type.Object({ api_key: Type.Optional(names), base_url: Type.Optional(names) })),
  default_model: Type.Optional(Type.String({ minLength: 1 })),
  quirks: Type.Record(Type.String(), Type.Unknown()),
})

export const brandsFileSchema = Type.Object({ brands: Type.Array(brandSchema) })

/** Limits of a model, in tokens. */
export const modelSchema = Type.Object({
  context_window: Type.Integer({ minimum: 1 }),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
})

export const modelsFileSchema: TSchema = Type.Object({ models: Type.Record(Type.String(), Type.Record(Type.String(), modelSchema)) })

export type Brand = Static<typeof brandSchema>
export type ModelLimits = Static<typeof modelSchema>
