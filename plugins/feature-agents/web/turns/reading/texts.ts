import { defineMessages } from '@agent-service/sdk/web'
import { reading as de } from '../../texts/de.json'
import { reading as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
