import { defineMessages } from '@agent-service/sdk/web'
import { dictation as de } from '../../texts/de.json'
import { dictation as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
