import { defineMessages } from '@agent-service/sdk/web'
import { chat as de } from '../../texts/de.json'
import { chat as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
