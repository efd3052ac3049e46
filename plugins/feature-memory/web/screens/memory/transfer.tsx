import { errorText, Field, MenuButton, saveBlob, send, showToast } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

const files = { markdown: 'memories.md', ndjson: 'memories.ndjson' } as const

/** Takes everything out as a file, and in again. */
export function Transfer(): JSX.Element {
  const [isImporting, setImporting] = createSignal(false)
  const save = async (format: keyof typeof files): Promise<void> => {
    try {
      const answer = await send('get', '/api/memory/export', { query: { format }, headers: { accept: '*/*' } })
      saveBlob(files[format], await answer.blob())
    } catch (error) {
      showToast(errorText(error), { mark: 'fail' })
    }
  }
  return (
    <>
      <MenuButton
        name={t('more')}
        items={[
          { label: t('export_markdown'), icon: 'download', run: () => void save('markdown') },
          { label: t('export_ndjson'), icon: 'download', run: () => void save('ndjson') },
          { label: t('import'), icon: 'upload', run: () => void setImporting(true) },
        ]}
      />
      <Show when={isImporting()}>
        <ImportDialog onClose={() => setImporting(false)} />
      </Show>
    </>
  )
}

function ImportDialog(props: { readonly onClose: () => void }): JSX.Element {
  const form = createForm({
    initial: { file: undefined as File | undefined },
    check: ({ file }) => (file ? {} : { '/file': t('file_missing') }),
    submit: async ({ file }) => {
      if (!file) return
      const headers = { 'content-type': 'application/x-ndjson' }
      const { records } = await api.post('/api/memory/import', { body: file, headers })
      props.onClose()
      showToast(t('imported', { count: records }))
    },
  })
  return (
    <FormDialog form={form} title={t('import_title')} action={t('import_action')} onClose={props.onClose}>
      <p>{t('import_text')}</p>
      <Field label={t('file')} help={t('file_help')} error={form.problem('/file')}>
        {({ id, describedBy }) => (
          <input
            id={id}
            class="memory-file"
            type="file"
            accept=".ndjson,.jsonl,application/x-ndjson"
            aria-invalid={form.problem('/file') !== undefined}
            aria-describedby={describedBy}
            onChange={(event) => form.set('file', event.currentTarget.files?.[0])}
          />
        )}
      </Field>
    </FormDialog>
  )
}
