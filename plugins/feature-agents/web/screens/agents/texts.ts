import { defineMessages } from '@agent-service/sdk/web'
import { agents as de } from '../../texts/de.json'
import { agents as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })

const memberKeys = {
  approval: 'others_ask',
  avatar: 'avatar',
  description: 'description',
  enabled: 'enabled',
  handle: 'handle',
  instructions: 'instructions',
  limits: 'limits',
  memory: 'memory',
  model_group: 'model_group',
  name: 'name',
  prompts: 'prompts',
  sandbox: 'network',
  skills: 'skills',
  titles: 'titles',
  tools: 'tools',
} as const

/** The name of a member of an agent's definition; itself if it is a newer one. */
export const memberText = (member: string): string =>
  Object.hasOwn(memberKeys, member) ? t(memberKeys[member as keyof typeof memberKeys]) : member
