import type { JSX } from 'solid-js'
import type { Text } from '../i18n/messages.js'

export interface UserTabProps {
  /** The account that the page is about. */
  readonly userId: string
}

/** A tab on the page of an account, for administrators: the default export of a panel in the group `user`. */
export interface UserTab {
  /** Unique among the tabs. */
  readonly name: string
  /** Among the tabs, from low to high: 10 is the account, 20 its sign-in, 90 its data. */
  readonly order: number
  readonly title: Text
  View(props: UserTabProps): JSX.Element
}

/** Declares a tab, in `web/screens/<name>/user-tab.tsx`. */
export const defineUserTab = (tab: UserTab): UserTab => tab
