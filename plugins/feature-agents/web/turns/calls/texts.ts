import { defineMessages } from '@agent-service/sdk/web'
import { calls as de } from '../../texts/de.json'
import { calls as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
