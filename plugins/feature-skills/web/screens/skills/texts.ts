import { defineMessages } from '@agent-service/sdk/web'
import { skills as de } from '../../texts/de.json'
import { skills as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
