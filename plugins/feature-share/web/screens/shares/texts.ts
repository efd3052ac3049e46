import { defineMessages } from '@agent-service/sdk/web'
import { shares as de } from '../../texts/de.json'
import { shares as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
