import { api } from '../../api/client.js'
import { readAll } from '../../api/read-all.js'
import type { Schemas } from '../../api/types.js'
import type { IconName } from '../../ui/icons.js'
import type { SlashAction } from './actions.js'
import type { SlashHost } from './slash-host.js'
import { t } from './texts.js'

export type Prompt = Schemas['ListedPrompt']

/** One line of the list. */
export interface SlashOption {
  readonly group: 'prompts' | 'skills' | 'actions'
  /** What is typed for it. */
  readonly command: string
  readonly title: string
  /** Whose it is, where that is not the person. */
  readonly note: string | undefined
  readonly icon: IconName
  readonly what:
    | { readonly kind: 'prompt'; readonly id: string }
    | { readonly kind: 'skill'; readonly name: string }
    | { readonly kind: 'action'; readonly action: SlashAction }
}

/** How many lines are shown; typing more finds the others. */
const maxShown = 50

const promptOption = ({ id, command, title, own, owner }: Prompt): SlashOption => ({
  group: 'prompts',
  command,
  title,
  icon: 'message',
  what: { kind: 'prompt', id },
  note: own ? undefined : owner === null ? t('shared') : t('shared_by', { name: owner }),
})

const skillOption = (name: string): SlashOption => ({
  group: 'skills',
  command: name,
  title: t('use_skill', { name }),
  note: undefined,
  icon: 'book',
  what: { kind: 'skill', name },
})

export const actionOption = (action: SlashAction): SlashOption => ({
  group: 'actions',
  command: action.command,
  title: action.title(),
  note: undefined,
  icon: action.icon,
  what: { kind: 'action', action },
})

/** The prompts that count, the last used first, and the skills that the agent has and that work. */
export async function readOptions({ agentId, skills: given }: Pick<SlashHost, 'agentId' | 'skills'>): Promise<readonly SlashOption[]> {
  const [prompts, skills] = await Promise.all([
    readAll((cursor) => api.get('/api/prompts', { query: { order: 'used', limit: 200, ...(cursor !== undefined && { cursor }) } })),
    skillsOf(agentId(), given()),
  ])
  return [...prompts.filter(({ shadowed }) => !shadowed).map(promptOption), ...skills.map(skillOption)]
}

async function skillsOf(agentId: string | undefined, given: readonly string[]): Promise<readonly string[]> {
  if (agentId === undefined || given.length === 0) return []
  const all = await readAll((cursor) =>
    api.get('/api/skills', { query: { agent_id: agentId, limit: 200, ...(cursor !== undefined && { cursor }) } }),
  )
  const works = all.filter(({ problem, shadowed_by }) => problem === null && shadowed_by === null)
  return works.map(({ name }) => name).filter((name) => given.includes('*') || given.includes(name))
}

/** Those that fit what was typed: by the beginning of the command, then by the command or a word of the title. */
export function fitting(options: readonly SlashOption[], query: string): readonly SlashOption[] {
  const rankOf = ({ command, title }: SlashOption): number => {
    if (command.toLowerCase().startsWith(query)) return 0
    const words = title.toLowerCase().split(/\s+/)
    return command.toLowerCase().includes(query) || words.some((word) => word.startsWith(query)) ? 1 : 2
  }
  const groups = ['prompts', 'skills', 'actions'] as const
  return groups
    .flatMap((group) => {
      const matches = options.filter((option) => option.group === group && rankOf(option) < 2)
      return matches.sort((a, b) => rankOf(a) - rankOf(b))
    })
    .slice(0, maxShown)
}
