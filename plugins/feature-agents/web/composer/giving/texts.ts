import { defineMessages } from '@agent-service/sdk/web'
import { giving as de } from '../../texts/de.json'
import { giving as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
