import { defineMessages } from '@agent-service/sdk/web'
import { channels as de } from '../../texts/de.json'
import { channels as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
