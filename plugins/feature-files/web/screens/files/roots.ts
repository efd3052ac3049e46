import { agentName, isProblem, readAll } from '@agent-service/sdk/web'
import { api, type Schemas, sharedQuery } from '../../api/index.js'
import { readFolders } from './folders.js'
import { t } from './texts.js'

type Agent = Pick<Schemas['Agent'], 'name' | 'avatar'>

/** Where files of the person are: their own, and the workspace of each agent. */
export interface Root {
  readonly path: string
  /** Whose workspace it is. Absent: its agent was deleted. */
  readonly agent?: Agent
}

/** The person's own files, and the folder of all workspaces. */
export const ownRoot = 'files'
export const workspacesRoot = 'workspaces'

/** What roots there are: agents have theirs before anything is in it, and leave it behind. */
export const rootsQuery = sharedQuery<readonly Root[]>({ key: ['roots'], initial: [{ path: ownRoot }], read: readRoots })

export const roots = rootsQuery.value

async function readRoots(signal: AbortSignal): Promise<readonly Root[]> {
  const [agents, folders] = await Promise.all([readAgents(signal), readFolders(workspacesRoot, signal)])
  const ofAgents = agents.map(({ workspace, name, avatar }) => ({ path: `${workspacesRoot}/${workspace}`, agent: { name, avatar } }))
  const taken = new Set(ofAgents.map(({ path }) => path))
  const left = folders.filter(({ path }) => !taken.has(path)).map(({ path }) => ({ path }))
  return [{ path: ownRoot }, ...ofAgents, ...left]
}

/** None without the plugin of agents. */
async function readAgents(signal: AbortSignal): Promise<readonly Schemas['Agent'][]> {
  try {
    return await readAll((cursor) => api.get('/api/agents', { query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal }))
  } catch (error) {
    if (isProblem(error) && error.status === 404) return []
    throw error
  }
}

/** What an agent is recognised by: its avatar, or the first letters of its name. */
export const faceOf = ({ avatar, name }: Agent): string => (avatar === '' ? [...agentName(name)].slice(0, 2).join('') : avatar)

/** The root that a path is in. */
export const rootOf = (path: string): string =>
  path
    .split('/')
    .slice(0, isOwn(path) ? 1 : 2)
    .join('/')

export const isOwn = (path: string): boolean => path === ownRoot || path.startsWith(`${ownRoot}/`)

/** Roots are named by what they are, other folders by themselves. */
export function folderName(path: string): string {
  if (path === ownRoot) return t('own_files')
  if (path === workspacesRoot) return t('workspaces')
  return agentName(roots().find((root) => root.path === path)?.agent?.name ?? path.split('/').at(-1) ?? '')
}

/** The folders on the way to one, itself last: those of agents begin with the workspace. */
export function wayTo(path: string): readonly string[] {
  const names = path.split('/')
  const first = isOwn(path) || names.length === 1 ? 1 : 2
  return names.slice(first - 1).map((_, index) => names.slice(0, first + index).join('/'))
}
