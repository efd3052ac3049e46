import { ApiProblem, bytesText, isProblem, loadPart, newId } from '@agent-service/sdk/web'
import { upload } from '@agent-service/sdk/web/uploads'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

const pictures = /^image\/(png|jpeg|gif|webp)$/
/** From this size on, a file is sent in pieces that can be continued. */
const inPiecesFrom = 16 * 1024 * 1024

/**
 * Uploads a file into a folder of its own, so that every file keeps its name, unless it is too large for
 * the agent. Returns the path. @throws {ApiProblem}
 */
export async function uploadFor(
  agent: string | undefined,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  await refuseTooLarge(file, agent, signal)
  const folder = `files/attachments/${new Date().toISOString().slice(0, 10)}/${newId().slice(0, 8)}`
  const path = `${folder}/${
    file.name
      .replace(/[\p{Cc}\p{Cs}\\/]/gu, '_')
      .slice(-80)
      .replace(/^[\udc00-\udfff]/, '') || 'file'
  }`
  if (file.size < inPiecesFrom) {
    await upload(path, file, onProgress, signal)
    return path
  }
  const { uploadInPieces } = await loadPart(() => import('@agent-service/sdk/web/uploads'))
  await uploadInPieces(path, file, { url: undefined, onUrl: () => undefined, onProgress, signal })
  return path
}

/**
 * Refuses before the upload what the agent cannot be given for its size alone. @throws {ApiProblem}
 */
async function refuseTooLarge(file: File, agent: string | undefined, signal: AbortSignal): Promise<void> {
  const { in_workspace, max_image_bytes, max_message_bytes } = await api.get('/api/chats/attachments', { query: queryOf(agent), signal })
  if (in_workspace) return
  // A file grows by a third in a message.
  const max = pictures.test(file.type) ? max_image_bytes : Math.floor((max_message_bytes * 3) / 4)
  if (file.size <= max && file.size > 0) return
  const detail = file.size === 0 ? t('file_empty') : t('file_too_large', { max: bytesText(max) })
  throw new ApiProblem({ status: 413, code: 'file_too_large', detail })
}

const queryOf = (agent: string | undefined) => (agent === undefined ? {} : { agent_id: agent })

/** What becomes of a file that has arrived, as its chip says it. */
interface FileState {
  readonly state: 'done' | 'failed'
  readonly inWorkspaceOnly?: boolean
  readonly canRetry?: false
  readonly error?: ApiProblem
}

/**
 * What the service says of files, by their paths. What it cannot say now, such as while many documents are read, it says
 * with the message: nothing.
 */
export async function outcomesFor(
  agent: string | undefined,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileState>> {
  const attachments = paths.map((path) => ({ path }))
  try {
    const { files: outcomes } = await api.post('/api/chats/attachments', { body: { attachments, ...queryOf(agent) }, signal })
    return new Map(outcomes.map((outcome) => [outcome.path, stateOf(outcome)]))
  } catch (cause) {
    if (!isProblem(cause) || cause.code === 'aborted') throw cause
    return new Map()
  }
}

function stateOf({ shown, in_workspace, problem, needs_file_tools }: Schemas['CheckedAttachment']): FileState {
  if (problem === null) return { state: 'done', inWorkspaceOnly: in_workspace && !shown }
  const detail = needs_file_tools ? t('needs_file_tools') : problem
  return { state: 'failed', canRetry: false, error: new ApiProblem({ status: 422, code: 'invalid_request', detail }) }
}
