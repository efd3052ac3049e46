import { confirmAction, createAction, isProblem, type MenuItem, showToast, TextArea } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import type { Memory } from './read-memory.js'
import { t } from './texts.js'

/** What can be done with a memory, and what came of it. */
export interface MemoryActions {
  readonly items: () => readonly MenuItem[]
  readonly failure: () => unknown
  readonly correct: () => void
  /** The form of a correction while it is open. */
  readonly dialog: () => JSX.Element
}

export function createMemoryActions(
  memory: () => Memory,
  on: { readonly changed: (memory: Memory) => void; readonly forgotten: () => void },
): MemoryActions {
  const [isOpen, setOpen] = createSignal(false)
  const path = () => ({ memory_id: memory().id })
  const change = createAction((work: () => Promise<void>) =>
    work().catch((error) => {
      if (!isProblem(error, 'not_found')) throw error
      on.forgotten()
    }),
  )
  const pin = async (): Promise<void> => {
    on.changed(await api.patch('/api/memory/{memory_id}', { path: path(), body: { pinned: !memory().pinned } }))
  }
  const forget = async (): Promise<void> => {
    const wanted = path()
    const yes = await confirmAction({ title: t('forget_question'), text: t('forget_text'), action: t('forget'), keep: t('keep') })
    if (!yes) return
    await api.delete('/api/memory/{memory_id}', { path: wanted })
    showToast(t('forgotten'))
    on.forgotten()
  }
  const save = async (text: string): Promise<void> => {
    const changed = await allowingSecret((allowed) => api.patch('/api/memory/{memory_id}', { path: path(), body: { text, ...allowed } }))
    if (changed === undefined) return
    setOpen(false)
    showToast(t('corrected'))
    on.changed(changed)
  }
  return {
    failure: change.failure,
    correct: () => void setOpen(true),
    items: () => [
      { label: t('correct'), icon: 'pencil', run: () => void setOpen(true) },
      { label: memory().pinned ? t('unpin') : t('pin'), icon: 'star', run: () => void change.run(pin) },
      { label: t('forget'), icon: 'trash', danger: true, run: () => void change.run(forget) },
    ],
    dialog: () => (
      <Show when={isOpen()}>
        <CorrectDialog text={memory().text} onSave={save} onClose={() => setOpen(false)} />
      </Show>
    ),
  }
}

/**
 * Stores a text; if the service finds that it looks like a secret, only once the person says that it is
 * meant. Undefined: they do not.
 */
export async function allowingSecret<Result>(
  store: (allowed: { readonly allow_secret?: true }) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await store({})
  } catch (error) {
    if (!isProblem(error, 'memory_looks_secret')) throw error
    const yes = await confirmAction({
      title: t('secret_question'),
      text: t('secret_text'),
      action: t('secret_store'),
      keep: t('secret_keep'),
    })
    return yes ? store({ allow_secret: true }) : undefined
  }
}

/** As many characters as the service takes. */
const maxTextLength = 4_000

/** What is wrong with a text before it is sent. */
export function textProblem(text: string): Readonly<Record<string, string>> {
  if (text.trim() === '') return { '/text': t('text_missing') }
  return text.trim().length > maxTextLength ? { '/text': t('text_too_long') } : {}
}

function CorrectDialog(props: {
  readonly text: string
  readonly onSave: (text: string) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const form = createForm({
    initial: { text: props.text },
    check: ({ text }) => textProblem(text),
    submit: ({ text }) => props.onSave(text.trim()),
  })
  return (
    <FormDialog form={form} title={t('correct_title')} action={t('save')} wide onClose={props.onClose}>
      <TextArea label={t('text')} help={t('correct_help')} rows={6} {...form.field('text')} />
    </FormDialog>
  )
}
