import { aBoolean, aFunction, aLine, aList, aName, anObject, checkMembers, type MemberRule, oneOf } from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import { aClosedObjectSchema } from '../../manifest/contributed-schema.js'
import type { ProviderAdapter } from './adapter.js'

/** Settings that all protocols have in common, so that none declares them. */
const commonSettings: readonly string[] = ['max_tokens', 'temperature']

const protocolName = aName(/^[a-z][a-z0-9_-]{0,63}$/, 'a name in lower case, such as completions')
const bodyPath = aLine(200)
const bodyPaths = aList(bodyPath, { maxItems: 500 })

const settings: MemberRule = (value, path) => {
  const problems = aClosedObjectSchema(value, path)
  if (problems.length > 0) return problems
  const properties = (value as { readonly properties?: Readonly<Record<string, unknown>> }).properties ?? {}
  return commonSettings
    .filter((name) => Object.hasOwn(properties, name))
    .map((name) => ({ path: `${path}/properties/${name}`, message: 'must be absent: it is common to all protocols' }))
}

/** Everything that is wrong with an adapter, each with a JSON pointer. Empty when models can be called through it. Never throws. */
export function checkProviderAdapter(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      id: aName(/^[a-z][a-z0-9_-]{1,63}$/, 'an id in lower case, such as adapter_house'),
      name: aName(/^[a-z][a-z0-9_-]{0,63}$/, 'a plain name in lower case, such as house'),
      protocols: aList(
        anObject({
          required: {
            id: protocolName,
            aliases: aList(protocolName, { maxItems: 20 }),
            settings,
            protectedPaths: bodyPaths,
            protectedStructuredPaths: bodyPaths,
          },
        }),
        { minItems: 1, maxItems: 50 },
      ),
      supports: anObject({
        required: {
          streaming: aBoolean,
          tools: aBoolean,
          toolChoice: aBoolean,
          images: aBoolean,
          files: oneOf([true, false, 'text']),
          reasoning: aBoolean,
          opaqueParts: aBoolean,
          structuredOutput: aBoolean,
        },
        optional: { embed: aBoolean },
      }),
      call: aFunction,
    },
    optional: { embed: aFunction },
  })
  if (problems.length > 0) return problems
  const adapter = contribution as ProviderAdapter
  return [...checkProtocolNames(adapter), ...checkEmbed(adapter)]
}

function checkEmbed({ supports, embed }: ProviderAdapter): readonly Problem[] {
  if (supports.embed === true && embed === undefined) return [{ path: '/embed', message: 'is required, because supports.embed is true' }]
  return supports.embed !== true && embed !== undefined
    ? [{ path: '/supports/embed', message: 'must be true, because the adapter has embed' }]
    : []
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
