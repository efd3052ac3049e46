import { defineMessages } from '@agent-service/sdk/web'
import { usage_user_tab as de } from '../../texts/de.json'
import { usage_user_tab as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
