import './prompts.css'
import {
  Button,
  createAction,
  createRested,
  EmptyState,
  Failure,
  Page,
  PagedRows,
  readAll,
  saveText,
  showToast,
  TextField,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { type FilePrompt, promptsOfFile } from './import-file.js'
import { type Prompt, PromptDialog } from './prompt-dialog.js'
import { PromptRow } from './prompt-row.js'
import { t } from './texts.js'

type Listed = Schemas['ListedPrompt']

const readPrompt = (id: string): Promise<Prompt> => api.get('/api/prompts/{prompt_id}', { path: { prompt_id: id } })

/** The person's prompts and those that everyone has. */
export default function Prompts(): JSX.Element {
  const [search, setSearch] = createSignal('')
  const [asked, setAsked] = createSignal<{ readonly prompt?: Prompt; readonly begin?: FilePrompt }>()
  let chooser: HTMLInputElement | undefined
  const rested = createRested(() => search().trim(), 150)
  const list = createPagedQuery<Listed>({
    key: () => ['prompts', rested()],
    read: (cursor, signal) =>
      api.get('/api/prompts', {
        query: { limit: 100, ...(rested() !== '' && { search: rested() }), ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    idOf: ({ id }) => id,
  })
  const doing = createAction((work: () => Promise<unknown>) => work(), { concurrent: true })
  const remove = (prompt: Listed): Promise<unknown> =>
    doing.run(async () => {
      const path = { prompt_id: prompt.id }
      await api.delete('/api/prompts/{prompt_id}', { path })
      await list.reload()
      const restore = async (): Promise<void> => {
        await api.post('/api/prompts/{prompt_id}/restore', { path })
        await list.reload()
      }
      showToast(t('deleted', { command: prompt.command }), { action: { label: t('undo'), run: () => void doing.run(restore) } })
    })
  const takeBack = ({ id, command }: Listed): Promise<unknown> =>
    doing.run(async () => {
      await api.put('/api/admin/prompts/{prompt_id}/shared', { path: { prompt_id: id }, body: { shared: 'me' } })
      await list.reload()
      showToast(t('not_yours', { command }))
    })
  const take = (file: File): Promise<unknown> =>
    doing.run(async () => {
      const prompts = promptsOfFile(await file.text())
      if (!prompts) throw new Error(t('import_unknown'))
      await importAll(prompts, 'skip')
    })
  const importAll = async (prompts: readonly FilePrompt[], existing: 'skip' | 'replace'): Promise<void> => {
    const result = await api.post('/api/prompts/import', { body: { prompts: [...prompts], existing } })
    await list.reload()
    const replace = { label: t('replace'), run: () => void doing.run(() => importAll(prompts, 'replace')) }
    showToast(t('imported', result), result.skipped > 0 ? { action: replace } : {})
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button icon="upload" onClick={() => chooser?.click()}>
            {t('import')}
          </Button>
          <Button icon="download" onClick={() => void doing.run(exportOwn)}>
            {t('export')}
          </Button>
          <Button kind="main" icon="plus" onClick={() => setAsked({})}>
            {t('new')}
          </Button>
        </>
      }
    >
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('import')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void take(file)
        }}
      />
      <div class="prompts-find">
        <TextField type="search" label={t('search')} value={search()} onInput={setSearch} />
      </div>
      <Show when={doing.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows
        list={list}
        label={t('title')}
        empty={
          <EmptyState
            title={search().trim() === '' ? t('empty') : t('none_found')}
            text={search().trim() === '' ? t('empty_text') : t('none_found_text')}
          />
        }
      >
        {(prompt) => (
          <PromptRow
            prompt={prompt}
            onEdit={() => void doing.run(async () => setAsked({ prompt: await readPrompt(prompt.id) }))}
            onCopy={() => void doing.run(async () => setAsked({ begin: await readPrompt(prompt.id) }))}
            onDelete={() => void remove(prompt)}
            onTakeBack={() => void takeBack(prompt)}
          />
        )}
      </PagedRows>
      <Show when={asked()} keyed>
        {({ prompt, begin }) => <PromptDialog prompt={prompt} begin={begin} onClose={() => setAsked(undefined)} />}
      </Show>
    </Page>
  )
}

/** The person's own prompts as a file that can be imported again. */
async function exportOwn(): Promise<void> {
  const own = await readAll((cursor) =>
    api.get('/api/prompts', { query: { whose: 'own', limit: 200, ...(cursor !== undefined && { cursor }) } }),
  )
  const prompts: FilePrompt[] = []
  for (const { id } of own) {
    const { command, title, text } = await readPrompt(id)
    prompts.push({ command, title, text })
  }
  saveText('prompts.json', `${JSON.stringify({ prompts }, undefined, 2)}\n`, 'application/json')
}
