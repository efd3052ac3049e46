import { type Profile, standInSession } from '../app/session.js'
import { chooseLanguage, type Language } from '../i18n/language.js'

const ada: Profile = {
  id: 'user_ada',
  username: 'ada',
  handle: 'ada',
  name: 'Ada',
  email: null,
  email_verified: false,
  role: 'user',
  language: null,
  timezone: 'UTC',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

/** Who looks at the page, and in which language. */
export interface Person {
  /** What the profile says. Default: Ada, who does not administrate, in the time zone UTC. */
  readonly profile?: Partial<Profile>
  /** Whether they administrate the service. Default: what the profile says. */
  readonly admin?: boolean
  /** Default: English. */
  readonly language?: Language
}

/** Signs a person in, without the service; what is shown follows. `render` does it too. */
export function signInAs({ profile = {}, admin, language = 'en' }: Person = {}): void {
  const role = admin === undefined ? {} : { role: admin ? ('admin' as const) : ('user' as const) }
  chooseLanguage(language)
  standInSession({ ...ada, ...profile, ...role })
}
