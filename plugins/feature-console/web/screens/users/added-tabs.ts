import type { UserTab } from '@agent-service/sdk/web'
import { loadPanelParts } from '../../app/panel-parts.js'

/** The tabs that features add to the page of an account. */
export const loadAddedTabs = async (): Promise<readonly UserTab[]> => (await loadPanelParts<UserTab>('user')).map(({ part }) => part)
