import type { JSX } from 'solid-js'
import type { Text } from '../i18n/messages.js'

/** What a tab on the page of an account gets. */
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
  /** On the tab. */
  readonly title: Text
  /** The component of the tab, made when the tab is opened. */
  View(props: UserTabProps): JSX.Element
}

/**
 * Declares a tab, in `web/screens/<name>/user-tab.tsx`.
 *
 * @example
 * export default defineUserTab({
 *   name: 'dice',
 *   order: 60,
 *   title: { en: 'Dice', de: 'Würfel' },
 *   View: (props) => <p>{t('rolls_of', { user: props.userId })}</p>,
 * })
 */
export const defineUserTab = (tab: UserTab): UserTab => tab
