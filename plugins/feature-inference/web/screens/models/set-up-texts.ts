import { defineMessages } from '@agent-service/sdk/web'
import { models_set_up as de } from '../../texts/de.json'
import { models_set_up as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
