import { defineMessages } from '@agent-service/sdk/web'
import { access as de } from '../../texts/de.json'
import { access as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
