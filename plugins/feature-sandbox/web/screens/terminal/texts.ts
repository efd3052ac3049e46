import { defineMessages } from '@agent-service/sdk/web'
import { terminal as de } from '../../texts/de.json'
import { terminal as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
