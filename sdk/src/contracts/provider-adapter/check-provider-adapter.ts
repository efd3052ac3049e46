import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aLine, aName, checkShape, firstSpecVersion } from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import type { ProviderAdapter } from './adapter.js'

/** Settings that all protocols have in common, so that none declares them. */
const commonSettings: readonly string[] = ['max_tokens', 'temperature']

const protocolName = aName(/^[a-z][a-z0-9_-]{0,63}$/, 'a name in lower case, such as completions')
const bodyPaths = Type.Array(aLine(200), { maxItems: 500 })

const abilities = {
  streaming: Type.Boolean(),
  tools: Type.Boolean(),
  toolChoice: Type.Boolean(),
  images: Type.Boolean(),
  files: Type.Union([Type.Boolean(), Type.Literal('text')]),
  reasoning: Type.Boolean(),
  opaqueParts: Type.Boolean(),
  structuredOutput: Type.Boolean(),
  strictTools: Type.Optional(Type.Boolean()),
  strictSchemas: Type.Optional(Type.Boolean()),
  jsonObject: Type.Optional(Type.Boolean()),
  parallelToolCalls: Type.Optional(Type.Boolean()),
  logprobs: Type.Optional(Type.Boolean()),
  logitBias: Type.Optional(Type.Boolean()),
  messageNames: Type.Optional(Type.Boolean()),
  imageDetail: Type.Optional(Type.Boolean()),
  embed: Type.Optional(Type.Boolean()),
  listModels: Type.Optional(Type.Boolean()),
}

const atLeastOne = Type.Integer({ minimum: 1 })

const pictures = Type.Object({
  types: Type.Optional(
    Type.Array(aName(/^image\/[a-z0-9.+-]{1,64}$/, 'a media type in lower case, such as image/png'), { minItems: 1, maxItems: 50 }),
  ),
  maxBase64Length: Type.Optional(atLeastOne),
  maxSide: Type.Optional(atLeastOne),
  maxSideOfMany: Type.Optional(Type.Object({ above: atLeastOne, maxSide: atLeastOne })),
  maxPictures: Type.Optional(atLeastOne),
})

const protocol = Type.Object({
  id: protocolName,
  aliases: Type.Array(protocolName, { maxItems: 20 }),
  settings: aSchema('closed object'),
  supports: Type.Optional(
    Type.Object(Object.fromEntries(Object.entries(abilities).map(([name, schema]) => [name, Type.Optional(schema)]))),
  ),
  pictures: Type.Optional(pictures),
  protectedPaths: bodyPaths,
  protectedStructuredPaths: bodyPaths,
})

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aName(/^[a-z][a-z0-9_-]{1,63}$/, 'an id in lower case, such as adapter_house'),
  name: aName(/^[a-z][a-z0-9_-]{0,63}$/, 'a plain name in lower case, such as house'),
  protocols: Type.Array(protocol, { minItems: 1, maxItems: 50 }),
  supports: Type.Object(abilities),
  pictures: Type.Optional(pictures),
  call: aFunction,
  embed: Type.Optional(aFunction),
  listModels: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with an adapter, each with a JSON pointer. Empty when models can be
 * called through it. Never throws.
 */
export function checkProviderAdapter(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  if (problems.length > 0) return problems
  const adapter = contribution as ProviderAdapter
  return [...checkSettings(adapter), ...checkProtocolNames(adapter), ...optionalMembers.flatMap((name) => checkOptional(name, adapter))]
}

function checkSettings({ protocols }: ProviderAdapter): readonly Problem[] {
  return protocols.flatMap(({ settings }, index) =>
    commonSettings
      .filter((name) => Object.hasOwn(settings.properties ?? {}, name))
      .map((name) => ({
        path: `/protocols/${index}/settings/properties/${name}`,
        message: 'must be absent: it is common to all protocols',
      })),
  )
}

/** Members that are there if and only if `supports` declares them. */
const optionalMembers = ['embed', 'listModels'] as const

function checkOptional(name: (typeof optionalMembers)[number], adapter: ProviderAdapter): readonly Problem[] {
  const isDeclared = adapter.supports[name] === true
  if (isDeclared === (adapter[name] !== undefined)) return []
  return isDeclared
    ? [{ path: `/${name}`, message: `is required, because supports.${name} is true` }]
    : [{ path: `/supports/${name}`, message: `must be true, because the adapter has ${name}` }]
}

function checkProtocolNames({ protocols }: ProviderAdapter): readonly Problem[] {
  const seen = new Set<string>()
  return protocols.flatMap(({ id, aliases }, index) =>
    [id, ...aliases].flatMap((name) => {
      const again = seen.has(name)
      seen.add(name)
      return again ? [{ path: `/protocols/${index}`, message: `has the name “${name}”, which the adapter has already` }] : []
    }),
  )
}
