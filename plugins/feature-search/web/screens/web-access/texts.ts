import { defineMessages } from '@agent-service/sdk/web'
import { web_access as de } from '../../texts/de.json'
import { web_access as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
