import { defineMessages } from '@agent-service/sdk/web'
import { register as de } from '../../texts/de.json'
import { register as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
