import type { Schemas } from '../../api/index.js'

export type User = Schemas['AdministeredUser']

/** What the tabs of an account get. */
export interface TabProps {
  readonly user: User
  readonly onChanged: (user: User) => void
}
