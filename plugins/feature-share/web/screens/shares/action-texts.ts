import { defineMessages } from '@agent-service/sdk/web'
import { shares_action as de } from '../../texts/de.json'
import { shares_action as en } from '../../texts/en.json'

/** Apart from the other texts, because menus of other screens have it from the start. */
export const t = defineMessages({ en, de })
