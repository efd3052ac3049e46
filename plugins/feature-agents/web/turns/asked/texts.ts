import { defineMessages } from '@agent-service/sdk/web'
import { asked as de } from '../../texts/de.json'
import { asked as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
