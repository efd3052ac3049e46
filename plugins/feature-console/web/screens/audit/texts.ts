import { defineMessages } from '@agent-service/sdk/web'
import { audit as de } from '../../texts/de.json'
import { audit as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
