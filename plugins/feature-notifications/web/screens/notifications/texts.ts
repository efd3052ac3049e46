import { defineMessages } from '@agent-service/sdk/web'
import { notifications as de } from '../../texts/de.json'
import { notifications as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
