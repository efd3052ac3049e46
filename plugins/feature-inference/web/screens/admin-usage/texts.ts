import { defineMessages } from '@agent-service/sdk/web'
import { admin_usage as de } from '../../texts/de.json'
import { admin_usage as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
