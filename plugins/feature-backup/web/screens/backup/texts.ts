import { defineMessages } from '@agent-service/sdk/web'
import { backup as de } from '../../texts/de.json'
import { backup as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
