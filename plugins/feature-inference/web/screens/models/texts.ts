import { defineMessages } from '@agent-service/sdk/web'
import { models as de } from '../../texts/de.json'
import { models as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
