import { type ComposerCommand, errorText, openDialog, readAll, showToast, timeText } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'
import { filledIn, type PromptVariable, variablesOf } from './variables.js'
import { VariablesDialog } from './variables-dialog.js'

/** The prompts that count, the last used first. */
export async function readPromptCommands(): Promise<readonly ComposerCommand[]> {
  const prompts = await readAll((cursor) =>
    api.get('/api/prompts', { query: { order: 'used', limit: 200, ...(cursor !== undefined && { cursor }) } }),
  )
  return prompts.filter(({ shadowed }) => !shadowed).map(commandFor)
}

const commandFor = ({ id, command, title, own, owner }: Schemas['ListedPrompt']): ComposerCommand => ({
  name: command,
  title,
  icon: 'message',
  note: own ? undefined : owner === null ? t('shared') : t('shared_by', { name: owner }),
  text: () => usePrompt(id, title),
})

/** The text of a prompt with its variables filled in; undefined if the person does not want to. */
async function usePrompt(id: string, title: string): Promise<string | undefined> {
  const path = { prompt_id: id }
  const { text } = await api.get('/api/prompts/{prompt_id}', { path })
  const variables = variablesOf(text)
  const values = variables.length === 0 ? {} : await askFor(title, variables)
  if (!values) return undefined
  // The text does not wait for this: it only puts the prompt first the next time.
  api.post('/api/prompts/{prompt_id}/use', { path }).catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
  return filledIn(text, values, timeText(Date.now(), { dateStyle: 'long' }))
}

/** Asks for the values; undefined if the person does not want to. */
const askFor = (title: string, variables: readonly PromptVariable[]): Promise<Readonly<Record<string, string>> | undefined> =>
  new Promise((resolve) => {
    openDialog((close) => (
      <VariablesDialog
        title={title}
        variables={variables}
        onEnd={(values) => {
          close()
          resolve(values)
        }}
      />
    ))
  })
