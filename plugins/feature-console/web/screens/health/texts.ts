import { defineMessages } from '@agent-service/sdk/web'
import { health as de } from '../../texts/de.json'
import { health as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
