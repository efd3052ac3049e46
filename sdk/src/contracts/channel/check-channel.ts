import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import {
  aContributionId,
  aCount,
  aFunction,
  aLine,
  aName,
  aRange,
  aText,
  checkShape,
  firstSpecVersion,
  oneOf,
} from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import type { Channel } from './channel.js'

const step = Type.Object({
  title: aLine(200),
  text: aText({ maxLength: 2_000 }),
  url: Type.Optional(aName(/^https:\/\/[^\s]{1,500}$/, 'an address with https')),
  members: Type.Optional(Type.Array(aLine(64), { maxItems: 50 })),
})

const limits = Type.Object({
  text: Type.Object({ unit: oneOf(['utf16', 'characters', 'bytes', 'segments']), max: aRange(1, 10_000_000) }),
  shareLinkAfter: Type.Optional(aRange(1, 1_000)),
  intervalMs: Type.Optional(aRange(0, 60_000)),
  attachments: Type.Optional(Type.Object({ maxBytes: aCount, maxCount: aRange(1, 100) })),
  idempotentMs: Type.Optional(aRange(1_000, Number.MAX_SAFE_INTEGER)),
  maxWebhookBytes: Type.Optional(aRange(1, 25 * 1_048_576)),
})

const supports = Type.Object({
  markdown: Type.Boolean(),
  groups: Type.Boolean(),
  replies: Type.Boolean(),
  buttons: Type.Boolean(),
  attachmentsIn: Type.Boolean(),
  attachmentsOut: Type.Boolean(),
  edits: Type.Boolean(),
  typing: Type.Boolean(),
  presence: Type.Boolean(),
  idempotentSend: Type.Boolean(),
  webhook: Type.Boolean(),
})

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: aLine(200),
  connection: aSchema('closed object'),
  setUp: Type.Array(step, { maxItems: 20 }),
  limits,
  supports,
  connect: aFunction,
})

/** The least of each unit in which a message can be split without losing a character. */
const smallest = { utf16: 100, characters: 50, bytes: 200, segments: 1 } as const

/**
 * Everything that is wrong with a channel, each with a JSON pointer. Empty when connections may use
 * it. Never throws.
 */
export function checkChannel(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkAgreement(contribution as Channel)
}

function checkAgreement({
  connection,
  setUp,
  limits: { text, attachments, idempotentMs, maxWebhookBytes },
  supports: has,
}: Channel): readonly Problem[] {
  const named = setUp.flatMap(({ members = [] }, index) => members.map((name, at) => ({ name, path: `/setUp/${index}/members/${at}` })))
  const problem = (path: string, message: string): Problem => ({ path, message })
  return [
    ...named
      .filter(({ name }) => !Object.hasOwn(connection.properties, name))
      .map(({ path }) => problem(path, 'must be the name of a member of connection')),
    ...named
      .filter(({ name }, index) => named.findIndex((other) => other.name === name) !== index)
      .map(({ path }) => problem(path, 'must not name a member that another step has')),
    ...(text.max < smallest[text.unit] ? [problem('/limits/text/max', `must be at least ${smallest[text.unit]} ${text.unit}`)] : []),
    ...(has.attachmentsOut === (attachments !== undefined)
      ? []
      : [
          problem('/limits/attachments', has.attachmentsOut ? 'is required with supports.attachmentsOut' : 'needs supports.attachmentsOut'),
        ]),
    ...(idempotentMs !== undefined && !has.idempotentSend ? [problem('/limits/idempotentMs', 'needs supports.idempotentSend')] : []),
    ...(maxWebhookBytes !== undefined && !has.webhook ? [problem('/limits/maxWebhookBytes', 'needs supports.webhook')] : []),
  ]
}
