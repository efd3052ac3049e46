import { defineMessages } from '@agent-service/sdk/web'
import { vaults_screen as de } from '../../texts/de.json'
import { vaults_screen as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
