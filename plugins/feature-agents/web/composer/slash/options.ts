import { type ComposerCommandSource, composerCommandSources, type IconName, readAll, textOf } from '@agent-service/sdk/web'
import { api } from '../../api/index.js'
import type { SlashAction } from './actions.js'
import type { SlashHost } from './slash-host.js'
import { t } from './texts.js'

/** One line of the list. */
export interface SlashOption {
  readonly heading: string
  /** What is typed for it. */
  readonly command: string
  readonly title: string
  /** Whose it is, where that is not the person. */
  readonly note: string | undefined
  readonly icon: IconName
  /** What comes in place of the command: a text, undefined if nothing does, or something is done. */
  readonly what: { readonly text: () => Promise<string | undefined> } | { readonly action: SlashAction }
}

/** How many lines are shown; typing more finds the others. */
const maxShown = 50

const skillOption = (name: string): SlashOption => ({
  heading: t('skills'),
  command: name,
  title: t('use_skill', { name }),
  note: undefined,
  icon: 'book',
  what: { text: async () => t('skill_text', { name }) },
})

export const actionOption = (action: SlashAction): SlashOption => ({
  heading: t('actions'),
  command: action.command,
  title: action.title(),
  note: undefined,
  icon: action.icon,
  what: { action },
})

/** What can be read, and why the others could not. */
export interface ReadOptions {
  readonly options: readonly SlashOption[]
  readonly errors: readonly unknown[]
}

/** The added commands in the order of their sources, and the skills that the agent has and that work. */
export async function readOptions({ agentId, skills: given }: Pick<SlashHost, 'agentId' | 'skills'>): Promise<ReadOptions> {
  const read = await Promise.allSettled([
    ...composerCommandSources().map(readCommands),
    skillsOf(agentId(), given()).then((names) => names.map(skillOption)),
  ])
  return {
    options: read.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
    errors: read.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])),
  }
}

async function readCommands({ heading, read }: ComposerCommandSource): Promise<readonly SlashOption[]> {
  const commands = await read()
  return commands.map(({ name, title, note, icon, text }) => ({
    heading: textOf(heading),
    command: name,
    title,
    note,
    icon,
    what: { text },
  }))
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
  const headings = new Set(options.map(({ heading }) => heading))
  return [...headings]
    .flatMap((heading) => {
      const matches = options.filter((option) => option.heading === heading && rankOf(option) < 2)
      return matches.sort((a, b) => rankOf(a) - rankOf(b))
    })
    .slice(0, maxShown)
}
