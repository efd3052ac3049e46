import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aFunction, aLine, checkShape } from '../shape/check-shape.js'
import type { ChannelSession } from './channel.js'
import type { ChannelSupports } from './declaration.js'

const shape = Type.Object({
  account: Type.Object({ id: aLine(200), name: aLine(200) }),
  run: Type.Optional(aFunction),
  webhook: Type.Optional(aFunction),
  send: aFunction,
  edit: Type.Optional(aFunction),
  typing: Type.Optional(aFunction),
  presence: Type.Optional(aFunction),
  download: Type.Optional(aFunction),
})

/**
 * Everything that is wrong with a session that a channel has opened, each with a JSON pointer: its
 * members, and that they are what the channel supports. Empty when it can be used. Never throws.
 */
export function checkChannelSession(session: unknown, supports: ChannelSupports): readonly Problem[] {
  const problems = checkShape(shape, session)
  return problems.length > 0 ? problems : checkAgreement(session as ChannelSession, supports)
}

const always = { edit: 'edits', typing: 'typing', presence: 'presence' } as const
const possibly = { webhook: 'webhook', download: 'attachmentsIn' } as const

function checkAgreement(session: ChannelSession, supports: ChannelSupports): readonly Problem[] {
  const problem = (path: string, message: string): Problem => ({ path, message })
  const wrong = Object.entries(always) as (readonly [keyof typeof always, (typeof always)[keyof typeof always]])[]
  const needing = Object.entries(possibly) as (readonly [keyof typeof possibly, (typeof possibly)[keyof typeof possibly]])[]
  return [
    ...wrong
      .filter(([name, ability]) => (session[name] !== undefined) !== supports[ability])
      .map(([name, ability]) =>
        problem(`/${name}`, supports[ability] ? `is required with supports.${ability}` : `needs supports.${ability}`),
      ),
    ...needing
      .filter(([name, ability]) => session[name] !== undefined && !supports[ability])
      .map(([name, ability]) => problem(`/${name}`, `needs supports.${ability}`)),
    ...(session.run === undefined && session.webhook === undefined ? [problem('/run', 'is required, or “webhook” in its place')] : []),
  ]
}
