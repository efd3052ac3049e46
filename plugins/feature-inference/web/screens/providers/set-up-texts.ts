import { defineMessages } from '@agent-service/sdk/web'
import { providers_set_up as de } from '../../texts/de.json'
import { providers_set_up as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
