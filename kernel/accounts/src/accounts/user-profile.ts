import { namedObject, type Static, Type } from '@agent-service/sdk'
import type { UserRecord } from '../records/records.js'

/** A user as the API shows it. */
export const userProfileSchema = namedObject('User', {
  id: Type.String(),
  username: Type.String({ examples: ['ada'] }),
  handle: Type.String({ examples: ['ada'], description: 'The name of the folder of the account. It never changes.' }),
  email: Type.Union([Type.String(), Type.Null()], { examples: ['ada@example.org'] }),
  email_verified: Type.Boolean({ description: 'Whether the address is confirmed. Until then no e-mails but codes are sent to it.' }),
  name: Type.Union([Type.String(), Type.Null()], { examples: ['Ada Lovelace'] }),
  role: Type.Union([Type.Literal('admin'), Type.Literal('user')]),
  timezone: Type.Union([Type.String(), Type.Null()], { examples: ['Europe/London'] }),
  language: Type.Union([Type.String(), Type.Null()], {
    examples: ['de'],
    description: 'Of what the service writes to the person, such as e-mails.',
  }),
  created_at: Type.String(),
  updated_at: Type.String(),
})

export type UserProfile = Static<typeof userProfileSchema>

/** The stored account without its private members. */
export function profileOf(user: UserRecord): UserProfile {
  const { id, username, handle, email, name, role, timezone, language = null, created_at, updated_at } = user
  const emailVerified = user.email_verified_at !== null
  return { id, username, handle, email, email_verified: emailVerified, name, role, timezone, language, created_at, updated_at }
}
